import { z } from 'zod';

import { defineServerEvent, optionalText } from '../context-event.js';
import { defineItemKind } from '../item-kind.js';
import { anyJson, identifier, text } from '../payload.schema.js';

/**
 * A value that a transformation derived for `path` from the values at other paths in these versions. If the
 * transformation failed, `problem` gives the reason and `value` is null.
 */
export const valueDerived = defineServerEvent(
  'ValueDerived',
  z.strictObject({
    path: identifier,
    value: anyJson,
    from: z.array(z.strictObject({ path: identifier, version: z.int().min(1) })).max(64),
    transformation: identifier,
    transformationVersion: z.int().min(1),
    problem: text.max(2_000).optional(),
  }),
  {
    line: ({ path, problem, transformation }) =>
      `${path} derived by ${transformation}${optionalText(', without a value: ', problem)}`,
  },
);

export const derivedEvents = [valueDerived] as const;

export const derivedItemKinds = [
  defineItemKind('derived', { rulesReadBody: true, view: { section: 'derived' } }),
] as const;
