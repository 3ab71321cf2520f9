import { type JsonValue } from '#event-sourcing';

import { isJsonObject, member, pointerStep } from '../json.js';
import { iterationStarted } from '../loops/loop.events.js';
import { type PartDifference, asks, joined, notRemovable, refused } from './part.difference.js';

/** More at once are none that anybody has counted. */
const mostAtOnce = 1000;

/** A higher count is as many iterations started. */
export function iterationsDifference(
  current: JsonValue | undefined,
  sent: JsonValue,
  at: string,
): PartDifference {
  if (!isJsonObject(sent)) return refused({ pointer: at, detail: 'must be an object' });
  const before = isJsonObject(current) ? current : {};
  const removed = Object.keys(before).filter((subject) => !Object.hasOwn(sent, subject));
  return joined([
    notRemovable(...removed.map((subject) => at + pointerStep(subject))),
    ...Object.entries(sent).map(([subject, count]) =>
      further({ subject, from: Number(member(before, subject) ?? 0), to: count }, at),
    ),
  ]);
}

function further(
  { subject, from, to }: Readonly<{ subject: string; from: number; to: JsonValue }>,
  at: string,
): PartDifference {
  const pointer = at + pointerStep(subject);
  const count = typeof to === 'number' && Number.isInteger(to) ? to - from : -1;
  if (count < 0 || count > mostAtOnce)
    return refused({ pointer, detail: `must be an integer from ${from} to ${from + mostAtOnce}` });
  const parsed = iterationStarted.schema.safeParse({ subject });
  if (!parsed.success)
    return refused(...parsed.error.issues.map(({ message }) => ({ pointer, detail: message })));
  const { data } = parsed;
  return asks(...Array.from({ length: count }, () => ({ type: 'StartIteration', data }) as const));
}
