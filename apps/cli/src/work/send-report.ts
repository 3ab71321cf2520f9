import { setTimeout as wait } from 'node:timers/promises';

import { type ApiClient } from '../api-client.js';
import { CliError } from '../cli-error.js';
import { exitCodes } from '../exit-code.js';
import { ProblemError } from '../problem.js';
import { type AttemptReport, bodyOf } from './attempt-report.js';

const [firstPauseMs, longestPauseMs] = [100, 2_000];

type Sending = Readonly<{
  api: ApiClient;
  token: string;
  /** The time in which a report may still be repeated. */
  leftMs: () => number;
}>;

/**
 * Reports an attempt, again and again until the server has stored it or its deadline has passed: repeating a report that was stored
 * changes nothing. Throws what the server refuses it with, or why it could not be reached.
 */
export async function sendReport(
  { api, token, leftMs }: Sending,
  report: AttemptReport,
): Promise<void> {
  const request = {
    method: 'POST',
    path: `work/${report.type}`,
    body: bodyOf(report, token),
  } as const;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs))
    try {
      await api.send(request);
      return;
    } catch (error) {
      if (!mayPass(error) || leftMs() <= 0) throw error;
      await wait(Math.min(Math.max(0, leftMs()), pauseMs * (0.5 + Math.random() / 2)));
    }
}

/** No answer, too busy, or a fault of the server, which another server may not have. */
function mayPass(error: unknown): boolean {
  if (error instanceof ProblemError && error.status >= 500) return true;
  return error instanceof CliError && error.exitCode === exitCodes.unavailable;
}
