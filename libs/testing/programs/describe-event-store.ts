import { globSync, readFileSync } from 'node:fs';

import { jsonEvent } from '@eventstore/db-client';

import { collectEvents, connect } from '../src/test-kurrentdb.client.js';
import { openTestKurrentDb } from '../src/test-kurrentdb.js';

// Says which server the suites of `npm run test:stores` mean by KurrentDB, and which suites mean the stand-in wherever they
// run. It fails if the server does not answer, or may not be written to and read as a whole.

const server = await openTestKurrentDb();
const client = connect(server.connectionString);
const stream = `${server.namespace()}-described`;
await client.appendToStream(stream, jsonEvent({ type: 'described', data: {} }));
await collectEvents(client.readAll({ direction: 'backwards', fromPosition: 'end', maxCount: 1 }));
const { serverVersion } = await client['capabilities'];
const nodes = server.nodes.length === 1 ? 'one node' : `${server.nodes.length} nodes named`;
say(
  `KurrentDB: ${serverVersion}, ${nodes}, ${server.isStandIn ? 'the stand-in' : 'EVENTSTORE_URL'}`,
);
if (!server.isStandIn) {
  say('on the stand-in all the same, since they switch its faults, accounts or versions:');
  for (const path of suitesOnStandIn()) say(`  ${path}`);
}
await client.dispose();
await server.close();
process.exit(0);

function suitesOnStandIn(): readonly string[] {
  const specs = globSync('{apps,libs,test}/**/*spec.ts');
  return specs.filter((path) => readFileSync(path, 'utf8').includes('openStandIn(')).toSorted();
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
