import { type JsonObject, type JsonValue } from '#event-sourcing';

import { isJsonObject, member, pointerStep } from '../json.js';
import { type PartDifference, joined, notRemovable, refused } from './part.difference.js';

/** How entries of a list that only grows are told apart, compared and added. */
export type GrowingList = Readonly<{
  id: string;
  changed: (current: JsonObject, sent: JsonObject, at: string) => PartDifference;
  added: (sent: JsonObject, at: string) => PartDifference;
}>;

/** Entries known before come first and in their order; what is behind them is new. */
export function listDifference(
  current: JsonValue | undefined,
  sent: JsonValue,
  { at, list }: Readonly<{ at: string; list: GrowingList }>,
): PartDifference {
  if (!Array.isArray(sent)) return refused({ pointer: at, detail: 'must be a list' });
  const known: readonly JsonValue[] = Array.isArray(current) ? current : [];
  const missing = known.slice(sent.length).map((_, index) => at + pointerStep(sent.length + index));
  return joined([
    notRemovable(...missing),
    ...sent.map((entry: JsonValue, index) =>
      entryDifference(known[index], entry, { at: at + pointerStep(index), list }),
    ),
  ]);
}

function entryDifference(
  current: JsonValue | undefined,
  sent: JsonValue,
  { at, list }: Readonly<{ at: string; list: GrowingList }>,
): PartDifference {
  if (!isJsonObject(sent)) return refused({ pointer: at, detail: 'must be an object' });
  if (!isJsonObject(current)) return list.added(sent, at);
  if (member(current, list.id) !== member(sent, list.id))
    return refused({ pointer: at + pointerStep(list.id), detail: 'entries keep their places' });
  return list.changed(current, sent, at);
}
