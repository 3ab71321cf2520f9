import { AppendTooLargeError } from '#event-sourcing';
import {
  type ContextState,
  type Item,
  Pace,
  type RecordedContextEvent,
  touchedKeys,
} from '#shared-context';
import { type Steps } from '#slices';

/** A value grows by what many events add to it, and each event that changes it costs as much as the whole value has. */
export const maxValueLength = 2 * 1_048_576;

/**
 * What the events of one append put in the place of older values. The read models store every value of an item as a whole:
 * a small event may change a large item, and an append has many events.
 */
export const maxRewrittenLength = 8 * 1_048_576;

/** What follows from the events is larger than they are. */
export class RewriteTooLargeError extends AppendTooLargeError {
  override readonly message: string;

  constructor(what: string, length: number, limit: number) {
    super(length, limit);
    this.message = `${what} to ${length} characters or more, the limit is ${limit}: write less at once, and to several members`;
  }
}

/** How long the values are that an event has put in the place of others, as JSON. Throws {@link RewriteTooLargeError}. */
export function* rewrittenLength(
  event: RecordedContextEvent,
  before: ContextState,
  after: ContextState,
): Steps<number> {
  let length = 0;
  const pace = new Pace();
  for (const key of touchedKeys(event)) {
    if (pace.isStep()) yield;
    if (before.get(key.kind, key.key)?.body === undefined) continue;
    length += ownLength(event, after.get(key.kind, key.key));
  }
  return length;
}

function ownLength({ version }: RecordedContextEvent, item: Item | undefined): number {
  if (item?.fromVersion !== version || item.body === undefined) return 0;
  const own = JSON.stringify(item.body).length;
  if (own > maxValueLength)
    throw new RewriteTooLargeError('a value that is changed comes', own, maxValueLength);
  return own;
}
