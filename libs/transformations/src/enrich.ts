import { type JsonObject, type JsonValue } from '#event-sourcing';
import { parseDataPath, valueAtPath } from '#expressions';

import { transformationLimits } from './limits.js';
import { OperationError } from './operation.error.js';
import { type StepBudget } from './step-budget.js';
import { type OperationOf } from './transformation.schema.js';

type Key = string | number | boolean | undefined;
type Groups = ReadonlyMap<Key, ReadonlySet<JsonValue>>;

/** Each element of one list with the entries of another that are about it. */
export function enrich(
  operation: OperationOf<'enrich'>,
  sources: JsonObject,
  budget: StepBudget,
): JsonValue {
  const { each, eachKey, eachAs, entries, entryKey, entriesAs } = operation;
  const names = eachKey === undefined ? [] : parseDataPath(eachKey);
  const entryNames = parseDataPath(entryKey);
  const elements = listIn(sources, each);
  const all = listIn(sources, entries);
  budget.reserve(elements.length * (1 + names.length) + all.length * (1 + entryNames.length));
  const keys = elements.map((element) => keyOf(valueAtPath(element, names)));
  const groups = grouped(all, entryNames, { wanted: new Set(keys), budget });
  refuseTooMany(keys, groups);
  return elements.map((element, at) => {
    const group = groups.get(keys[at]) ?? [];
    return { [eachAs]: element, [entriesAs]: [...group] };
  });
}

/** Entries under each wanted key they hold, once and in their order: the work grows with the lists, not their product. */
function grouped(
  entries: readonly JsonValue[],
  names: readonly string[],
  { wanted, budget }: Readonly<{ wanted: ReadonlySet<Key>; budget: StepBudget }>,
): Groups {
  const groups = new Map<Key, Set<JsonValue>>();
  for (const entry of entries) {
    const held = valueAtPath(entry, names);
    if (isList(held)) budget.reserve(held.length);
    for (const value of isList(held) ? held : [held]) {
      const key = keyOf(value);
      if (key !== undefined && wanted.has(key)) addTo(groups, key, entry);
    }
  }
  return groups;
}

function addTo(groups: Map<Key, Set<JsonValue>>, key: Key, entry: JsonValue): void {
  const group = groups.get(key);
  if (group) group.add(entry);
  else groups.set(key, new Set([entry]));
}

function refuseTooMany(keys: readonly Key[], groups: Groups): void {
  const { matches: most } = transformationLimits;
  let matches = 0;
  for (const key of keys) matches += groups.get(key)?.size ?? 0;
  if (matches > most) throw new OperationError(`more than ${most} entries match`);
}

/** Texts, numbers and booleans match what is the same; nothing else matches anything. */
function keyOf(value: JsonValue | undefined): Key {
  return typeof value === 'object' ? undefined : value;
}

function isList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}

function listIn(sources: JsonObject, name: string): readonly JsonValue[] {
  const value = sources[name];
  if (!isList(value)) throw new OperationError(`"${name}" is no list`);
  return value;
}
