// Started by the specs in this repository as a process that can be killed. Runs the server of a data directory, reports
// its actions as JSON lines, and executes one-word commands from its standard input.
import { createInterface } from 'node:readline';

import { startEmbeddedServer, StartupError } from '#database';

const [dataDir = ''] = process.argv.slice(2);
const report = (fact: object) => process.stdout.write(`${JSON.stringify(fact)}\n`);
const log = {
  info: (message: string) => report({ message }),
  warn: (message: string) => report({ message }),
};

try {
  const server = await startEmbeddedServer({ dataDir, log });
  report({ connectionString: server.connectionString, pid: server.pid });
  for await (const line of createInterface({ input: process.stdin })) if (line === 'stop') break;
  await server.stop();
  report({ stopped: true });
} catch (error) {
  if (!(error instanceof StartupError)) throw error;
  report({ code: error.code, message: error.message });
  process.exitCode = 1;
} finally {
  process.stdin.destroy();
}
