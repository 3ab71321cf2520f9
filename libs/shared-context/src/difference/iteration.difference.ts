import { z } from 'zod';

import { type JsonValue, isJsonObject } from '#event-sourcing';

import { member, pointerStep } from '../json.js';
import { identifier } from '../payload.schema.js';
import {
  type Change,
  type PartDifference,
  noDifference,
  parseStated,
  refused,
  refusing,
} from './part.difference.js';

/** The maximum increase of one count; a higher one counts as a mistake. */
const maxAtOnce = 1000;

/** The increase of a count is the number of iterations to start; subjects that are left out keep their counts. */
export function* iterationsDifference(
  current: JsonValue | undefined,
  sent: JsonValue,
  at: string,
): Generator<Change | undefined> {
  if (!isJsonObject(sent)) return yield* refused(at, 'must be an object');
  const before = isJsonObject(current) ? current : {};
  for (const subject of Object.keys(sent)) {
    yield;
    const known = member(before, subject);
    const count = { subject, from: Number(known ?? 0), to: sent[subject] };
    yield* iterationsToStart(count, {
      at: at + pointerStep(subject),
      isKnown: known !== undefined,
    });
  }
}

function* iterationsToStart(
  { subject, from, to }: Readonly<{ subject: string; from: number; to: JsonValue | undefined }>,
  { at, isKnown }: Readonly<{ at: string; isKnown: boolean }>,
): Generator<Change | undefined> {
  const count = typeof to === 'number' && Number.isInteger(to) ? to - from : -1;
  if (count === 0) return;
  if (count < 0 || count > maxAtOnce)
    return yield* refused(at, `must be an integer from ${from} to ${from + maxAtOnce}`);
  // The rules for input apply only to new subjects: a stored subject may be older than the rules.
  if (!isKnown && (yield* refusing(faultsOf(subject, at)))) return;
  const command = { type: 'StartIteration', data: { subject } } as const;
  yield* new Array<Change>(count).fill({ command, at, keyed: true });
}

const newLoop = z.strictObject({ subject: identifier });

function faultsOf(subject: string, at: string): PartDifference {
  const parsed = parseStated(newLoop, { subject });
  if (parsed.success) return noDifference;
  return parsed.error.issues.flatMap(({ message }) => [...refused(at, message)]);
}
