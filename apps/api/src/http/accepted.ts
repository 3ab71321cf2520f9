import { ProblemError } from '../problems/problem.error.js';

/** Throws `not-acceptable` if a client takes no server-sent events. Without the header it takes anything. */
export function requireAcceptsEvents(accept: string | undefined): void {
  if (accept === undefined || accept.split(',').some(takesEvents)) return;
  throw new ProblemError(
    'not-acceptable',
    'this is answered as text/event-stream alone: accept that, or read GET .../events or /v1/feed with wait',
  );
}

function takesEvents(range: string): boolean {
  const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
  const isRefused = parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
  return ['text/event-stream', 'text/*', '*/*', ''].includes(type) && !isRefused;
}
