import { z } from 'zod';

import { type JsonValue, formatDataPath } from '#event-sourcing';

import { type ContextPlace, placeNames } from '../context-place.js';
import { type Item, type ItemKey } from '../item.js';
import { anyJson } from '../payload.schema.js';

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

/** The item that holds what was provided for a place and for parts of it. */
export function providedKey(place: ContextPlace): ItemKey {
  return { kind: 'provided', key: formatDataPath(placeNames(place)) };
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
