import { z } from 'zod';

import { SummarizerError } from './summarizer.error.js';

const errorSchema = z
  .object({ error: z.object({ type: z.string().nullish(), param: z.string().nullish() }) })
  .transform(({ error }) => error);

const word = /^\w{1,64}$/;

/** Statuses of answers that may have a Retry-After header. */
const retryableStatuses: ReadonlySet<number> = new Set([429, 503]);

/** A service refused the request; `param`: the member of the request that its answer names. */
export class RefusedCallError extends SummarizerError {
  constructor(
    message: string,
    readonly status: number,
    readonly param: string | undefined,
  ) {
    super(message, 'refused');
  }
}

/** Describes an unsuccessful answer. Reports only the type of its error, because its message may quote the request. */
export function refusalOf({ status, headers }: Response, answer: unknown): SummarizerError {
  const { type, param } = errorSchema.safeParse(answer).data ?? {};
  const message = `answered ${status}${word.test(type ?? '') ? ` (${type})` : ''}`;
  if (status !== 429 && status < 500)
    return new RefusedCallError(message, status, param ?? undefined);
  const pauseMs = retryableStatuses.has(status)
    ? parseRetryAfter(headers.get('retry-after'))
    : undefined;
  return new SummarizerError(message, 'unavailable', pauseMs);
}

/** The milliseconds that a Retry-After header asks for, in seconds or as a date. */
function parseRetryAfter(header: string | null): number | undefined {
  if (header === null) return undefined;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * 1000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}
