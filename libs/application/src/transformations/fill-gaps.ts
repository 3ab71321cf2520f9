import { type JsonValue } from '#event-sourcing';
import { type Spend, valueAtPath } from '#expressions';
import {
  type ContextPlace,
  type Item,
  type ItemLookup,
  type ProvidedValue,
  providedKey,
  providedValues,
  stepOutputKey,
} from '#shared-context';

import { Overlay } from './overlay.js';

/** The cost of following one name of a path, in steps of an expression. */
const stepsPerName = 2;

/** The value of a place. `used`: the provided values that it contains, as the whole value or as parts of it. */
type FilledPlace = Readonly<{
  value: JsonValue | undefined;
  used: readonly ProvidedValue[];
}>;

/**
 * Fills the gaps in the value of a place with the values that were provided for it. Stated and derived values are never
 * replaced: a provided part is added to its surrounding object, and skipped if the surrounding value is not an object.
 * `stated`: the stated or derived value, if any. `spend` is called with the number of steps before they are taken.
 */
export function fillGaps(
  place: ContextPlace,
  stated: JsonValue | undefined,
  { current, spend = () => undefined }: Readonly<{ current: ItemLookup; spend?: Spend }>,
): FilledPlace {
  const { kind, key } = providedKey(place);
  const provided = addable(place, current(kind, key), current);
  if (provided.length === 0) return { value: stated, used: [] };
  spend(provided.reduce((sum, { names }) => sum + stepsPerName * (names.length + 1), 0));
  const overlay = new Overlay(stated, spend);
  const used = provided.filter(({ names, value }) => {
    if (!isMissing(valueAtPath(stated, names)) || !hasRoom(overlay.value, names)) return false;
    overlay.put(names, value);
    return true;
  });
  return { value: overlay.value, used };
}

/** Excludes values that one agent provided for a step whose output another agent wrote: readers would misattribute them. */
function addable(
  place: ContextPlace,
  item: Item | undefined,
  current: ItemLookup,
): readonly ProvidedValue[] {
  const values = providedValues(item);
  if (place.kind !== 'step' || values.length === 0) return values;
  const { kind, key } = stepOutputKey(place.stepId);
  const author = current(kind, key)?.state['agentId'];
  return values.filter(
    ({ agentId, isPerson }) => isPerson || author === undefined || author === agentId,
  );
}

/** Whether all values on the path to a part are objects or missing; missing ones become objects. */
function hasRoom(whole: JsonValue | undefined, names: readonly string[]): boolean {
  let around = whole;
  for (const name of names) {
    if (isMissing(around)) return true;
    if (typeof around !== 'object' || Array.isArray(around)) return false;
    around = valueAtPath(around, [name]);
  }
  return true;
}

function isMissing(value: JsonValue | undefined): boolean {
  return value === undefined || value === null;
}
