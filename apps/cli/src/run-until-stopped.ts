import { CliError } from './cli-error.js';
import { type Environment } from './credentials.js';
import { type RunningServer } from './session.js';

const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** npm forwards the Ctrl-C that the terminal has already sent: a signal within this time is the same request. */
const sameRequestMs = 1000;
const parentCheckMs = 500;

/** Runs a server until a stop signal, and stops it gracefully. */
export async function runUntilStopped(
  env: Environment,
  start: () => Promise<RunningServer>,
): Promise<void> {
  const stop = listenForStop(env);
  // A second request ends the process immediately; the next start recovers.
  void stop.repeated.then(() => process.exit(130));
  const server = await start();
  const lost = await Promise.race([stop.requested, server.lost]);
  await server.stop();
  if (lost) throw new CliError(`the database connection is lost: ${lost.message}`, { cause: lost });
}

/** Resolves `requested` on the first signal, and `repeated` on a second request. */
function listenForStop(
  env: Environment,
): Readonly<{ requested: Promise<void>; repeated: Promise<void> }> {
  const requested = Promise.withResolvers<void>();
  const repeated = Promise.withResolvers<void>();
  let since: number | undefined;
  const listen = () => {
    since ??= performance.now();
    requested.resolve();
    if (performance.now() - since > sameRequestMs) repeated.resolve();
  };
  for (const signal of stopSignals) process.on(signal, listen);
  if (env['npm_lifecycle_event'] !== undefined) stopIfOrphaned(requested.resolve);
  return { requested: requested.promise, repeated: repeated.promise };
}

/** npm forwards SIGTERM only to its shell, which ends without stopping the server. */
function stopIfOrphaned(stop: () => void): void {
  const parent = process.ppid;
  const check = () => process.ppid === parent || stop();
  setInterval(check, parentCheckMs).unref();
}
