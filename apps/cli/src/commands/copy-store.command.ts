import { z } from 'zod';

import { CliError, UsageError } from '../cli-error.js';
import { defineCommand } from '../command.js';
import { exitCodes } from '../exit-code.js';
import { openOperations } from '../open-operations.js';
import { countOf, describeRate } from '../rate.js';
import { type Session } from '../session.js';
import { listenForStop } from '../stop-signal.js';
import { type Terminal } from '../terminal.js';

const stores = ['postgres', 'kurrentdb'] as const;
const store = z.enum(stores, `must be one of ${stores.join(', ')}`);
/** Events per progress line if stderr is not a terminal. */
const eventsPerLine = 100_000;

const continueHint = 'run the command again to continue';

type Request = Readonly<{ from: (typeof stores)[number]; to: (typeof stores)[number] }>;

export const copyStore = defineCommand({
  name: 'store copy',
  summary:
    'Copy all streams between PostgreSQL and KurrentDB, or continue a copy; servers of the source may run',
  options: [
    ['--from <store>', 'postgres or kurrentdb'],
    ['--to <store>', 'the other store: empty, or an earlier copy'],
  ],
  examples: [
    'EVENTSTORE_URL=esdb://kurrentdb.internal:2113 throughline store copy --from postgres --to kurrentdb',
  ],
  input: z.object({ from: store, to: store }),
  run: async (session, request) => {
    if (request.from === request.to)
      throw new UsageError('--from and --to name the same store', 'name postgres and kurrentdb');
    const { terminal, json } = session;
    const started = performance.now();
    const report = await copy(session, request).finally(() => terminal.progress?.clear());
    const seconds = (performance.now() - started) / 1000;
    if (report.events === 0)
      terminal.warn('the source holds no events: are its address and EVENTSTORE_NAMESPACE right?');
    terminal.write(
      json ? JSON.stringify({ ...request, report, seconds }) : describe(request, report, seconds),
    );
  },
});

async function copy({ env, terminal }: Pick<Session, 'env' | 'terminal'>, request: Request) {
  const { config, log, ...operations } = await openOperations(env);
  const { signal, release } = listenForStop();
  try {
    const progress = showEvents(terminal);
    return await operations.copyConfigured(config, log, { ...request, signal, progress });
  } catch (error) {
    if (signal.aborted) throw new CliError('the copy was stopped', { next: continueHint });
    if (error instanceof operations.CopyInterruptedError)
      throw new CliError(error.message, { exitCode: exitCodes.unavailable, next: continueHint });
    if (error instanceof operations.CopyError)
      throw new CliError(error.message, { exitCode: exitCodes.conflict });
    throw error;
  } finally {
    release();
  }
}

type Report = Awaited<ReturnType<typeof copy>>;

function describe({ to }: Request, report: Report, seconds: number): string {
  const { events, streams, copied, bytes, caughtUp } = report;
  const megabytes = (bytes / 1_048_576).toFixed(1);
  return [
    `copied ${countOf(copied, 'event')} (${megabytes} MiB), ${describeRate(copied, seconds)}`,
    `${to} holds ${countOf(events, 'event')} of ${countOf(streams, 'stream')}, each compared byte for byte, every hash chain valid`,
    ...(caughtUp
      ? []
      : ['the source receives events faster than they are copied: some are not copied yet']),
  ].join('\n');
}

function showEvents({ progress, warn }: Terminal): (phase: string, events: number) => void {
  let [last, reported] = ['', 0];
  return (phase, events) => {
    if (phase !== last) [last, reported] = [phase, 0];
    const line = `${phase}: ${countOf(events, 'event')}`;
    if (progress) progress.show(line);
    else if (events >= reported + eventsPerLine) {
      reported = events;
      warn(line);
    }
  };
}
