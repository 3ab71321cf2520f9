import { z } from 'zod';

import { type JsonValue, formatDataPath } from '#event-sourcing';

import { type ContextPlace, placeNames } from '../context-place.js';
import { type Item, type ItemKey } from '../item.js';
import { anyJson } from '../payload.schema.js';

/** A value that was provided for a part of a place. `onRecord`: the visibility of its event is `record`. */
export type ProvidedValue = Readonly<{
  /** The names that lead from the place to the part. */
  names: readonly string[];
  value: JsonValue;
  inputRequestId: string;
  agentId: string;
  isPerson: boolean;
  onRecord: boolean;
}>;

/** The item with the values that were provided for a place and for its parts. */
export function providedKey(place: ContextPlace): ItemKey {
  return { kind: 'provided', key: formatDataPath(placeNames(place)) };
}

/**
 * The values that were provided for a place, in the order in which they are applied: a part follows the value that
 * contains it.
 */
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
