import { type QuarantinedContext } from './dead-letters.js';

/** The feed skipped events of a stream. They may still be in the stream, so that a retry reads it. */
export class MissingEventsError extends Error {
  override readonly name = 'MissingEventsError';

  constructor(from: number, to: number) {
    super(
      from === to
        ? `version ${from} of the stream was not delivered`
        : `versions ${from} to ${to} of the stream were not delivered`,
    );
  }
}

/** Whether a context was quarantined because the feed had skipped events of its stream. */
export function lacksEvents({ error }: Pick<QuarantinedContext, 'error'>): boolean {
  return error.startsWith('MissingEventsError: ');
}
