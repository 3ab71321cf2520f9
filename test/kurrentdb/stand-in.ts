import { flushCompileCache } from 'node:module';
import { createInterface } from 'node:readline';

import { Cluster } from './cluster.js';
import { ServerNode } from './server-node.js';
import { switchFault } from './switch-fault.js';
import type {
  FaultCommand,
  StandInReady,
  StandInSettings,
} from '../../libs/testing/src/test-kurrentdb.protocol.js';

// The server as a program: settings in its argument, faults on its input, what it did on its output. It lives as long
// as its input is open, so that none is left behind by a test that dies.

// Both are written by one program of this repository, from the same types.
const settings: StandInSettings = JSON.parse(process.argv[2] ?? '');
const cluster = new Cluster(settings);
for (let left = settings.nodes; left > 0; left -= 1) cluster.nodes.push(new ServerNode(cluster));
await Promise.all(cluster.nodes.map((node) => node.start()));
cluster.elect(cluster.nodes[0]);
say({ ready: { ports: cluster.nodes.map(({ port }) => port) } } satisfies StandInReady);
// Suites kill it, and Node would write what it has compiled only at an orderly exit: the next start would compile it again.
flushCompileCache();

const input = createInterface({ input: process.stdin });
let done: Promise<void> = Promise.resolve();
input.on('line', (line) => {
  const command: FaultCommand = JSON.parse(line);
  done = done.then(async () => say(await switchFault(cluster, command)));
});
input.once('close', () => process.exit(0));

function say(line: object): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}
