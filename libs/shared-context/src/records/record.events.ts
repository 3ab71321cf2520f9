import { z } from 'zod';

import { defineEvent } from '#event-sourcing';

import { identifier, text } from '../payload.schema.js';
import { type RecordKind, recordFields } from './record.fields.js';

const saysSomething = {
  error: 'is required where fields say nothing',
  path: ['body'],
  /** Fields that are refused for themselves did say something. */
  when: ({ issues }: z.core.ParsePayload) => issues.length === 0,
};

/** A section of the story: Markdown, fields of its kind, or both. */
export const recordAppended = defineEvent('RecordAppended', records(identifier));

export const recordEvents = [recordAppended] as const;

/** What a client may state of a record; the id is made where it is left out. */
export const recordToAppend = records(identifier.optional());

function records<Id extends z.ZodType>(recordId: Id) {
  return z
    .discriminatedUnion('kind', [
      ofKind(recordId, 'kickoff-insights'),
      ofKind(recordId, 'dev-record'),
      ofKind(recordId, 'review-record'),
      ofKind(recordId, 'failure-analysis'),
      ofKind(recordId, 'retrospective'),
      ofKind(recordId, 'uat'),
      ofKind(recordId, 'custom'),
    ])
    .refine(
      ({ body, fields = {} }) => body !== undefined || Object.keys(fields).length > 0,
      saysSomething,
    );
}

function ofKind<Id extends z.ZodType, Kind extends RecordKind>(recordId: Id, kind: Kind) {
  const fields: (typeof recordFields)[Kind] = recordFields[kind];
  return z.strictObject({
    recordId,
    kind: z.literal(kind),
    title: text.max(1000).optional(),
    participants: z.array(identifier).max(100).optional(),
    body: text.optional(),
    fields: fields.optional(),
  });
}
