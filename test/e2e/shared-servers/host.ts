// Starts one server for each Jest worker at its first lease, and creates a workspace for each lease. Exits when its
// standard input ends, and stops its servers before. Prints the path of its socket.
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { text } from 'node:stream/consumers';

import { startServer } from '../start-server.js';
import { SharedServers } from './shared-servers.js';

const folder = await mkdtemp(join(tmpdir(), 'throughline-host-'));
const socketPath = join(folder, 'socket');
const servers = new SharedServers(() => startServer({}));

const host = createServer((request, response) => {
  answer(request).then(
    (body) => response.end(JSON.stringify(body)),
    (error: Error) => response.writeHead(500).end(error.message),
  );
});
host.listen(socketPath, () => process.stdout.write(`${socketPath}\n`));

process.stdin.resume().on('end', () => {
  host.close();
  void stop();
});
// Ctrl-C reaches the whole process group; the end of the standard input follows.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});

async function stop(): Promise<void> {
  try {
    await servers.stop();
  } catch (error) {
    process.stderr.write(`a shared server did not stop: ${String(error)}\n`);
    process.exitCode = 1;
  }
  await rm(folder, { recursive: true, force: true });
  process.exit();
}

async function answer(request: IncomingMessage): Promise<object> {
  const { worker, suite } = Object(JSON.parse(await text(request)));
  const holder = { worker: String(worker), suite: basename(String(suite)) };
  if (request.url === '/lease') return servers.lease(holder);
  await servers.release(holder);
  return {};
}
