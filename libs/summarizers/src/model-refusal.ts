import { z } from 'zod';

import { SummarizerError } from './summarizer.error.js';

const said = z
  .object({ error: z.object({ type: z.string().nullish(), param: z.string().nullish() }) })
  .transform(({ error }) => error);

const word = /^\w{1,64}$/;

/** Statuses of a service that may say when to come back. */
const comeBack: ReadonlySet<number> = new Set([429, 503]);

/** A service answered that it does not do this; `param`: the member of the request that it named. */
export class RefusedCallError extends SummarizerError {
  constructor(
    message: string,
    readonly status: number,
    readonly param: string | undefined,
  ) {
    super(message, 'refused');
  }
}

/** Describes an unsuccessful answer. Reports only its type, because its message may quote the request. */
export function refusalOf({ status, headers }: Response, answer: unknown): SummarizerError {
  const { type, param } = said.safeParse(answer).data ?? {};
  const message = `answered ${status}${word.test(type ?? '') ? ` (${type})` : ''}`;
  if (status !== 429 && status < 500)
    return new RefusedCallError(message, status, param ?? undefined);
  const pauseMs = comeBack.has(status) ? pauseIn(headers.get('retry-after')) : undefined;
  return new SummarizerError(message, 'unavailable', pauseMs);
}

/** Retry-After, in seconds or as a date. */
function pauseIn(asked: string | null): number | undefined {
  if (asked === null) return undefined;
  if (/^\d{1,9}$/.test(asked.trim())) return Number(asked) * 1000;
  const date = Date.parse(asked);
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}
