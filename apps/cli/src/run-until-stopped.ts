import { CliError } from './cli-error.js';
import { type Environment } from './credentials.js';
import { type RunningServer } from './session.js';

const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** npm passes on the Ctrl-C the terminal has already sent: what follows at once is the same wish. */
const sameWishMs = 1000;
const parentCheckMs = 500;

/** Runs what serves until it is asked to stop, and stops it in good order. */
export async function runUntilStopped(
  env: Environment,
  start: () => Promise<RunningServer>,
): Promise<void> {
  const stop = listenForStop(env);
  // Whoever asks twice wants it gone now; the next start recovers what was left.
  void stop.insisted.then(() => process.exit(130));
  const server = await start();
  const lost = await Promise.race([stop.asked, server.lost]);
  await server.stop();
  if (lost) throw new CliError(`the database is gone: ${lost.message}`, { cause: lost });
}

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
