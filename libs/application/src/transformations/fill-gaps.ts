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

/** Following a name of a path takes about as long as so many steps of an expression. */
const stepsPerName = 2;

/** What stands at a place; `used`: the values that were provided for it and stand there now, in parts of it or as a whole. */
export type FilledPlace = Readonly<{
  value: JsonValue | undefined;
  used: readonly ProvidedValue[];
}>;

/**
 * Puts what was provided for a place where something is missing in it. What stands there, stated or derived, stays: a part is
 * put into the object around it, and left out if there is a text, a list or the like instead. `standing` is undefined if
 * nothing stands at the place. `spend` is told how many steps that takes, before they are taken.
 */
export function fillGaps(
  place: ContextPlace,
  standing: JsonValue | undefined,
  { current, spend = () => undefined }: Readonly<{ current: ItemLookup; spend?: Spend }>,
): FilledPlace {
  const { kind, key } = providedKey(place);
  const provided = addable(place, current(kind, key), current);
  if (provided.length === 0) return { value: standing, used: [] };
  spend(provided.reduce((sum, { names }) => sum + stepsPerName * (names.length + 1), 0));
  const overlay = new Overlay(standing, spend);
  const used = provided.filter(({ names, value }) => {
    if (!isMissing(valueAtPath(standing, names)) || !hasRoom(overlay.value, names)) return false;
    overlay.put(names, value);
    return true;
  });
  return { value: overlay.value, used };
}

/** An agent adds nothing to the output that another one has given a step: it would be read as the other's. */
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

/** Whether nothing but objects is on the way to a part; what is missing becomes one. */
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
