import { z } from 'zod';

import { type JsonValue, dataPathIn, formatDataPath } from '#event-sourcing';

import { type ContextPlace, contextPlace, isPlacePath } from '../context-place.js';
import { type Item, type ItemKey } from '../item.js';
import { anyJson } from '../payload.schema.js';

/** Where a path of a request leads: the item that holds what is provided for this place, and the names that go on within it. */
export type RequestedPlace = Readonly<{
  key: ItemKey;
  place: ContextPlace;
}>;

/** A value that was provided for a part of a place, and by whom. `onRecord`: whether its event is no working note. */
export type ProvidedValue = Readonly<{
  /** The names that lead from the place to the part. */
  names: readonly string[];
  value: JsonValue;
  inputRequestId: string;
  agentId: string;
  isPerson: boolean;
  onRecord: boolean;
}>;

/** Undefined for paths that lead to no place of a context: a request may ask for anything. */
export function requestedPlace(path: string | undefined): RequestedPlace | undefined {
  const names = path === undefined ? undefined : dataPathIn(path);
  const place = names && contextPlace(names);
  if (!names || place === undefined || typeof place === 'string') return undefined;
  if (!isPlacePath(formatDataPath(names))) return undefined;
  return { place, key: providedKey(names.slice(0, names.length - place.rest.length)) };
}

/** What was provided for a place; `names`: the path to the place, without the names that go on within it. */
export function providedKey(names: readonly string[]): ItemKey {
  return { kind: 'provided', key: formatDataPath(names) };
}

/** What was provided for a place, in the order in which values are put into it: parts behind what they are parts of. */
export function providedValues(item: Item | undefined): readonly ProvidedValue[] {
  return item?.body === undefined ? [] : providedBody.parse(item.body).values;
}

const providedBody = z.object({
  values: z.array(
    z.object({
      names: z.array(z.string()),
      value: anyJson,
      inputRequestId: z.string(),
      agentId: z.string(),
      isPerson: z.boolean(),
      onRecord: z.boolean(),
    }),
  ),
});
