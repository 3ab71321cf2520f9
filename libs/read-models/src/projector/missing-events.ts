import { type ParkedContext } from './dead-letters.js';

/** The feed has left events of a stream out. They may still be in the stream: to read it again is to find them. */
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

/** Whether a context was set aside for what it has not been given. */
export function lacksEvents({ error }: Pick<ParkedContext, 'error'>): boolean {
  return error.startsWith('MissingEventsError: ');
}
