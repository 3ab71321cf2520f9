import { type JsonValue } from '#event-sourcing';

import { isJsonObject, member, pointerStep } from '../json.js';
import { iterationStarted } from '../loops/loop.events.js';
import { type Change, parseStated, refused } from './part.difference.js';

/** More at once are none that anybody has counted. */
const mostAtOnce = 1000;

/** A higher count is as many iterations started; subjects that are left out keep theirs. */
export function* iterationsDifference(
  current: JsonValue | undefined,
  sent: JsonValue,
  at: string,
): Generator<Change | undefined> {
  if (!isJsonObject(sent)) return yield* refused(at, 'must be an object');
  const before = isJsonObject(current) ? current : {};
  for (const subject of Object.keys(sent)) {
    yield;
    const from = Number(member(before, subject) ?? 0);
    yield* further({ subject, from, to: sent[subject] }, at + pointerStep(subject));
  }
}

function* further(
  { subject, from, to }: Readonly<{ subject: string; from: number; to: JsonValue | undefined }>,
  at: string,
): Generator<Change | undefined> {
  const count = typeof to === 'number' && Number.isInteger(to) ? to - from : -1;
  if (count < 0 || count > mostAtOnce)
    return yield* refused(at, `must be an integer from ${from} to ${from + mostAtOnce}`);
  const parsed = parseStated(iterationStarted.schema, { subject });
  if (!parsed.success) {
    for (const { message } of parsed.error.issues) yield* refused(at, message);
    return;
  }
  const { data } = parsed;
  for (let n = 0; n < count; n++) yield { command: { type: 'StartIteration', data } };
}
