import { z } from 'zod';

import { CliError } from '../cli-error.js';
import { defineCommand } from '../command.js';
import { type Environment } from '../credentials.js';

const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** npm passes on the Ctrl-C the terminal has already sent: what follows at once is the same wish. */
const sameWishMs = 1000;
const parentCheckMs = 500;

export const start = defineCommand({
  name: 'start',
  summary: 'Start the server here, with an embedded PostgreSQL unless DATABASE_URL is set',
  options: [
    ['--host <address>', 'address to listen on (default 127.0.0.1)'],
    ['--port <number>', 'port to listen on (default 3000)'],
    ['--data-dir <path>', 'where the data is kept (default ./.throughline)'],
  ],
  examples: [
    'throughline start',
    'throughline start --port 4000 --data-dir /var/lib/throughline',
    'DATABASE_URL=postgres://throughline@db.internal/throughline throughline start',
  ],
  input: z.object({
    host: z.string().optional(),
    port: z.string().optional(),
    dataDir: z.string().optional(),
  }),
  run: async ({ env, terminal, startServer }, { host, port, dataDir }) => {
    const configured = {
      ...env,
      ...(host !== undefined && { THROUGHLINE_HOST: host }),
      ...(port !== undefined && { THROUGHLINE_PORT: port }),
      ...(dataDir !== undefined && { THROUGHLINE_DATA_DIR: dataDir }),
    };
    const stop = listenForStop(env);
    // Whoever asks twice wants it gone now; the next start recovers what was left.
    void stop.insisted.then(() => process.exit(130));
    const server = await startServer(configured, { print: terminal.write });
    const lost = await Promise.race([stop.asked, server.lost]);
    await server.stop();
    if (lost) throw new CliError(`the database is gone: ${lost.message}`, { cause: lost });
  },
});

/** Resolves `asked` on the first signal, `insisted` on one that is clearly another. */
function listenForStop(
  env: Environment,
): Readonly<{ asked: Promise<void>; insisted: Promise<void> }> {
  const asked = Promise.withResolvers<void>();
  const insisted = Promise.withResolvers<void>();
  let since: number | undefined;
  const listen = () => {
    since ??= performance.now();
    asked.resolve();
    if (performance.now() - since > sameWishMs) insisted.resolve();
  };
  for (const signal of stopSignals) process.on(signal, listen);
  if (env['npm_lifecycle_event'] !== undefined) whenOrphaned(asked.resolve);
  return { asked: asked.promise, insisted: insisted.promise };
}

/** npm passes SIGTERM on to its shell only, which ends and leaves the server behind. */
function whenOrphaned(stop: () => void): void {
  const parent = process.ppid;
  const check = () => process.ppid === parent || stop();
  setInterval(check, parentCheckMs).unref();
}
