// Started by the specs beside it as a process that can be killed: runs the server of a data directory, tells in JSON
// lines what it did, and obeys one-word lines on its standard input.
import { createInterface } from 'node:readline';

import { startEmbeddedServer, StartupError } from '#database';

const [dataDir = ''] = process.argv.slice(2);
const tell = (fact: object) => process.stdout.write(`${JSON.stringify(fact)}\n`);
const log = {
  info: (message: string) => tell({ message }),
  warn: (message: string) => tell({ message }),
};

try {
  const server = await startEmbeddedServer({ dataDir, log });
  tell({ connectionString: server.connectionString, pid: server.pid });
  for await (const line of createInterface({ input: process.stdin })) if (line === 'stop') break;
  await server.stop();
  tell({ stopped: true });
} catch (error) {
  if (!(error instanceof StartupError)) throw error;
  tell({ code: error.code, message: error.message });
  process.exitCode = 1;
} finally {
  process.stdin.destroy();
}
