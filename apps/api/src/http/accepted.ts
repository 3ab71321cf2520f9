import { ProblemError } from '../problems/problem.error.js';

/** Throws `not-acceptable` if the Accept header excludes server-sent events. A missing header accepts everything. */
export function requireAcceptsEvents(accept: string | undefined): void {
  if (accept === undefined || accept.split(',').some(acceptsEvents)) return;
  throw new ProblemError(
    'not-acceptable',
    'this is only available as text/event-stream: accept that, or read GET .../events or /v1/feed with wait',
  );
}

function acceptsEvents(range: string): boolean {
  const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
  const isRefused = parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
  return ['text/event-stream', 'text/*', '*/*', ''].includes(type) && !isRefused;
}
