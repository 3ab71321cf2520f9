import { type JsonObject, type JsonValue } from '#event-sourcing';

import { isJsonObject, member, pointerStep } from '../json.js';
import { type Change, type PartDifference, notRemovable, refused } from './part.difference.js';

/** How entries of a list that only grows are told apart, compared and added. */
export type GrowingList = Readonly<{
  id: string;
  changed: (current: JsonObject, sent: JsonObject, at: string) => PartDifference;
  added: (sent: JsonObject, at: string) => PartDifference;
}>;

/** Entries known before come first and in their order; what is behind them is new. */
export function* listDifference(
  current: JsonValue | undefined,
  sent: JsonValue,
  { at, list }: Readonly<{ at: string; list: GrowingList }>,
): Generator<Change | undefined> {
  if (!Array.isArray(sent)) return yield* refused(at, 'must be a list');
  const known: readonly JsonValue[] = Array.isArray(current) ? current : [];
  for (let index = sent.length; index < known.length; index++)
    yield* notRemovable(at + pointerStep(index));
  for (const [index, entry] of sent.entries()) {
    yield;
    yield* entryDifference(known[index], entry, { at: at + pointerStep(index), list });
  }
}

function entryDifference(
  current: JsonValue | undefined,
  sent: JsonValue,
  { at, list }: Readonly<{ at: string; list: GrowingList }>,
): PartDifference {
  if (!isJsonObject(sent)) return refused(at, 'must be an object');
  if (!isJsonObject(current)) return list.added(sent, at);
  if (member(current, list.id) !== member(sent, list.id))
    return refused(at + pointerStep(list.id), 'entries keep their places');
  return list.changed(current, sent, at);
}
