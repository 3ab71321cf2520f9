import {
  type WorkEnvelope,
  WorkFailure,
  type WorkHandler,
  type WorkOptions,
} from '@throughline/sdk';

import { CliError } from '../cli-error.js';
import { oneLine, printableLine } from '../printable.js';

/** Standard error of a program may be long; the server gets the complete report. */
const widestLine = 300;

type LoggedWork = Readonly<{
  handler: WorkHandler;
  onAttempt: NonNullable<WorkOptions['onAttempt']>;
}>;

/** Logs the start and the end of each attempt. A program that cannot be started ends the worker. */
export function logAttempts(log: (line: string) => void, handler: WorkHandler): LoggedWork {
  const startedAt = new WeakMap<WorkEnvelope, number>();
  return {
    handler: (work, tools) => {
      startedAt.set(work, performance.now());
      log(`${labelOf(work)} started`);
      return handler(work, tools);
    },
    onAttempt: (work, result, cause) => {
      const since = startedAt.get(work) ?? performance.now();
      const seconds = ((performance.now() - since) / 1_000).toFixed(1);
      const line = `${labelOf(work)} ${describeEnd(result, cause)}`;
      log(`${oneLine(line, widestLine)} (${seconds} s)`);
      if (cause instanceof WorkFailure && cause.cause instanceof CliError) throw cause.cause;
    },
  };
}

/** How log lines name an attempt. */
function labelOf({ contextId, step: { path, attempt } }: WorkEnvelope): string {
  return printableLine(`${contextId} ${path} attempt ${attempt}`);
}

function describeEnd(result: string, cause: unknown): string {
  if (result === 'completed') return result;
  const reason = cause instanceof Error ? cause.message : String(cause);
  if (result === 'dropped') return `was dropped: ${reason}`;
  const code = cause instanceof WorkFailure ? cause.code : undefined;
  return `failed with ${code ?? 'an error'}: ${reason.split('\n').at(-1)}`;
}
