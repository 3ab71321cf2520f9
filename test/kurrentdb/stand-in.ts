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

// The server as a program: its argument has the settings, its input the faults, its output the results. It exits when
// its input ends, so that a test that dies leaves no server running.

// Both sides are programs of this repository with the same types.
const settings: StandInSettings = JSON.parse(process.argv[2] ?? '');
const cluster = new Cluster(settings);
for (let left = settings.nodes; left > 0; left -= 1) cluster.nodes.push(new ServerNode(cluster));
await Promise.all(cluster.nodes.map((node) => node.start()));
cluster.elect(cluster.nodes[0]);
say({ ready: { ports: cluster.nodes.map(({ port }) => port) } } satisfies StandInReady);
// Suites kill this process, and Node stores compiled code at a normal exit only: the next start would compile it again.
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
