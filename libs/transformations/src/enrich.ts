import { type JsonObject, type JsonValue } from '#event-sourcing';
import { type Expression, evaluateExpression, parseDataPath, valueAtPath } from '#expressions';

import { transformationLimits } from './limits.js';
import { OperationError } from './operation.error.js';
import { type StepBudget } from './step-budget.js';
import { type OperationOf } from './transformation.schema.js';

type Key = string | number | boolean | undefined;
type Groups = ReadonlyMap<Key, ReadonlySet<JsonValue>>;

/** The names of the compared pair in `match`. */
export const pairNames = ['element', 'entry'] as const;

/** An enrichment with its compiled `match`. */
type Enrichment = Readonly<{
  operation: OperationOf<'enrich'>;
  match: Expression | undefined;
}>;

/** Each element of one list, with the matching entries of another list. */
export function enrich(
  { operation, match }: Enrichment,
  sources: JsonObject,
  budget: StepBudget,
): JsonValue {
  const { each, eachAs, entries, entriesAs } = operation;
  const elements = listIn(sources, each);
  const all = listIn(sources, entries);
  const groups = match
    ? matchByExpression(elements, all, (pair) =>
        evaluateExpression(match, { ...sources, ...pair }, budget.spend),
      )
    : matchByKeys(operation, { elements, all }, budget);
  return elements.map((element, at) => ({
    [eachAs]: element,
    [entriesAs]: [...(groups[at] ?? [])],
  }));
}

type Entries = Iterable<JsonValue>;

/** For each element, the entries for which the expression is true. Evaluates every pair, within the limit of steps. */
function matchByExpression(
  elements: readonly JsonValue[],
  entries: readonly JsonValue[],
  matches: (pair: Readonly<{ element: JsonValue; entry: JsonValue }>) => JsonValue | undefined,
): readonly Entries[] {
  let count = 0;
  return elements.map((element) => {
    const found = entries.filter((entry) => Boolean(matches({ element, entry })));
    refuseMore((count += found.length));
    return found;
  });
}

/** For each element, the entries with the same key. */
function matchByKeys(
  { eachKey, entryKey = '' }: OperationOf<'enrich'>,
  { elements, all }: Readonly<{ elements: readonly JsonValue[]; all: readonly JsonValue[] }>,
  budget: StepBudget,
): readonly Entries[] {
  const names = eachKey === undefined ? [] : parseDataPath(eachKey);
  const entryNames = parseDataPath(entryKey);
  budget.reserve(elements.length * (1 + names.length) + all.length * (1 + entryNames.length));
  const keys = elements.map((element) => keyOf(valueAtPath(element, names)));
  const groups = groupByKey(all, entryNames, { requestedKeys: new Set(keys), budget });
  refuseMore(keys.reduce<number>((count, key) => count + (groups.get(key)?.size ?? 0), 0));
  return keys.map((key) => groups.get(key) ?? []);
}

/**
 * The entries by requested key, without duplicates and in order. Takes time in proportion to the lists, not to their
 * product.
 */
function groupByKey(
  entries: readonly JsonValue[],
  names: readonly string[],
  { requestedKeys, budget }: Readonly<{ requestedKeys: ReadonlySet<Key>; budget: StepBudget }>,
): Groups {
  const groups = new Map<Key, Set<JsonValue>>();
  for (const entry of entries) {
    const member = valueAtPath(entry, names);
    if (isList(member)) budget.reserve(member.length);
    for (const value of isList(member) ? member : [member]) {
      const key = keyOf(value);
      if (key !== undefined && requestedKeys.has(key)) addTo(groups, key, entry);
    }
  }
  return groups;
}

function addTo(groups: Map<Key, Set<JsonValue>>, key: Key, entry: JsonValue): void {
  const group = groups.get(key);
  if (group) group.add(entry);
  else groups.set(key, new Set([entry]));
}

function refuseMore(matches: number): void {
  const { matches: most } = transformationLimits;
  if (matches > most) throw new OperationError(`more than ${most} entries match`);
}

/** Strings, numbers and booleans match equal values; other values match nothing. */
function keyOf(value: JsonValue | undefined): Key {
  return typeof value === 'object' ? undefined : value;
}

function isList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}

function listIn(sources: JsonObject, name: string): readonly JsonValue[] {
  const value = sources[name];
  // prose-ignore: stored in events
  if (!isList(value)) throw new OperationError(`"${name}" is no list`);
  return value;
}
