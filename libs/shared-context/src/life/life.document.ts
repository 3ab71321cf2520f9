import { z } from 'zod';

import { type JsonObject, type JsonValue, isJsonObject } from '#event-sourcing';

import { type DocumentPart, mapSchema } from '../document-part.js';
import { type ItemLookup } from '../item.js';
import { member } from '../json.js';
import { creationKey, lifeKey } from './life.fold.js';

export const lifePart: DocumentPart = {
  members: {
    title: { schema: z.string().nullable(), searched: { shape: 'creation' } },
    status: { schema: z.enum(['open', 'closed']), searched: { shape: 'life' } },
    createdAt: { schema: z.iso.datetime(), searched: { shape: 'creation' } },
    createdBy: { schema: z.string(), searched: { shape: 'creation' } },
    parent: { schema: z.string().nullable(), searched: { shape: 'creation' } },
    continues: {
      schema: z.string().nullable().meta({
        description: 'The context whose open handovers this one took over',
      }),
      searched: { shape: 'creation' },
    },
    metadata: { schema: mapSchema, searched: { shape: 'creation', named: true } },
    workflow: {
      schema: z
        .looseObject({ definitionId: z.string(), version: z.int() })
        .nullable()
        .meta({ description: 'The definition that the context was created for' }),
      searched: { shape: 'creation' },
    },
    input: {
      schema: z
        .unknown()
        .meta({ description: 'The input that the context was created with: any JSON' }),
      searched: { shape: 'creation', named: true },
    },
  },
  kinds: ['life', 'creation'],
  render: (_, { current }) => renderLife(current),
};

/** The members from creating, closing and reopening the context. */
export function renderLife(current: ItemLookup): JsonObject {
  const { state, body } = current(creationKey.kind, creationKey.key) ?? {};
  const stated = (name: string, otherwise: JsonValue) => orElse(memberOf(body, name), otherwise);
  return {
    title: stated('title', null),
    status: orElse(current(lifeKey.kind, lifeKey.key)?.state['status'], 'open'),
    createdAt: orElse(state?.['createdAt'], null),
    createdBy: orElse(state?.['createdBy'], null),
    parent: stated('parent', null),
    continues: stated('continues', null),
    metadata: stated('metadata', {}),
    workflow: stated('workflow', null),
    input: stated('input', {}),
  };
}

function memberOf(body: JsonValue | undefined, name: string): JsonValue | undefined {
  return isJsonObject(body) ? member(body, name) : undefined;
}

/** Replaces only `undefined`: `null` is a value. */
function orElse(value: JsonValue | undefined, otherwise: JsonValue): JsonValue {
  return value === undefined ? otherwise : value;
}
