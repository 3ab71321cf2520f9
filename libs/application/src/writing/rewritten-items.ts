import { AppendTooLargeError } from '#event-sourcing';
import {
  type ContextState,
  type Item,
  Pace,
  type RecordedContextEvent,
  touchedKeys,
} from '#shared-context';
import { type Steps } from '#slices';

/**
 * The maximum length of a value, as JSON. Many events can add to a value, and each change costs as much as the whole
 * value is long.
 */
export const maxValueLength = 2 * 1_048_576;

/**
 * The maximum total length of the values that one append replaces. The read models store each value as a whole, so a
 * small event may rewrite a large item, and one append has many events.
 */
export const maxRewrittenLength = 8 * 1_048_576;

/** The values that result from the events are too large, although the events themselves are not. */
export class RewriteTooLargeError extends AppendTooLargeError {
  override readonly message: string;

  constructor(what: string, length: number, limit: number) {
    super(length, limit);
    this.message = `${what} ${length} characters or more, the limit is ${limit}: write less at once, and to several members`;
  }
}

/** The length, as JSON, of the values that an event replaces. Throws {@link RewriteTooLargeError}. */
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
    throw new RewriteTooLargeError('a changed value takes', own, maxValueLength);
  return own;
}
