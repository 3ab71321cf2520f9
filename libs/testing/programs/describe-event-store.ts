import { globSync, readFileSync } from 'node:fs';

import { jsonEvent } from '@eventstore/db-client';

import { collectEvents, connect } from '../src/test-kurrentdb.client.js';
import { openTestKurrentDb } from '../src/test-kurrentdb.js';

// Prints the server that the suites of `npm run test:stores` use as KurrentDB, and the suites that always use the
// stand-in. Fails if the server does not respond, or if writing to it or reading its whole log is not permitted.

const server = await openTestKurrentDb();
const client = connect(server.connectionString);
const stream = `${server.namespace()}-described`;
await client.appendToStream(stream, jsonEvent({ type: 'described', data: {} }));
await collectEvents(client.readAll({ direction: 'backwards', fromPosition: 'end', maxCount: 1 }));
const { serverVersion } = await client['capabilities'];
const nodes = server.nodes.length === 1 ? 'one node' : `${server.nodes.length} nodes named`;
print(
  `KurrentDB: ${serverVersion}, ${nodes}, ${server.isStandIn ? 'the stand-in' : 'EVENTSTORE_URL'}`,
);
if (!server.isStandIn) {
  print('on the stand-in in any case, since these suites switch its faults, accounts or versions:');
  for (const path of suitesOnStandIn()) print(`  ${path}`);
}
await client.dispose();
await server.close();
process.exit(0);

function suitesOnStandIn(): readonly string[] {
  const specs = globSync('{apps,libs,test}/**/*spec.ts');
  return specs.filter((path) => readFileSync(path, 'utf8').includes('openStandIn(')).toSorted();
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
