import { type JsonObject, type JsonValue } from '#event-sourcing';
import { parseDataPath, valueAtPath } from '#expressions';

import { transformationLimits } from './limits.js';
import { OperationError } from './operation.error.js';
import { type OperationOf } from './transformation.schema.js';

/** Each element of one list with the entries of another that are about it. */
export function enrich(operation: OperationOf<'enrich'>, sources: JsonObject): JsonValue {
  const { each, eachKey, eachAs, entries, entryKey, entriesAs } = operation;
  const names = eachKey === undefined ? [] : parseDataPath(eachKey);
  const groups = grouped(listIn(sources, entries), parseDataPath(entryKey));
  let matches = 0;
  return listIn(sources, each).map((element) => {
    const group = groups.get(keyOf(valueAtPath(element, names)));
    matches += group?.size ?? 0;
    if (matches > transformationLimits.matches)
      throw new OperationError(`more than ${transformationLimits.matches} entries match`);
    return { [eachAs]: element, [entriesAs]: [...(group ?? [])] };
  });
}

type Key = string | number | boolean | undefined;

/** Entries under every key they hold, each once and in their order: the work grows with the lists, not their product. */
function grouped(
  entries: readonly JsonValue[],
  names: readonly string[],
): ReadonlyMap<Key, ReadonlySet<JsonValue>> {
  const groups = new Map<Key, Set<JsonValue>>();
  for (const entry of entries)
    for (const key of keysOf(valueAtPath(entry, names)))
      groups.set(key, (groups.get(key) ?? new Set()).add(entry));
  return groups;
}

function keysOf(held: JsonValue | undefined): readonly Key[] {
  const keys = Array.isArray(held) ? held.map(keyOf) : [keyOf(held)];
  return keys.filter((key) => key !== undefined);
}

/** Texts, numbers and booleans match what is the same; nothing else matches anything. */
function keyOf(value: JsonValue | undefined): Key {
  return typeof value === 'object' ? undefined : value;
}

function listIn(sources: JsonObject, name: string): readonly JsonValue[] {
  const value = sources[name];
  if (!Array.isArray(value)) throw new OperationError(`"${name}" is no list`);
  return value;
}
