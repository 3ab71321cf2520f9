import { z } from 'zod';

import { isVisible, upcast } from '#event-sourcing';

import { defineClientEvent, optionalText } from '../context-event.js';
import { defineItemKind } from '../item-kind.js';
import { existingOrNewId, identifier, text } from '../payload.schema.js';
import { type RecordKind, recordFields } from './record.fields.js';

const notEmpty = {
  error: 'is required if there are no fields',
  path: ['body'],
  /** Skips this check if the fields already failed validation. */
  when: ({ issues }: z.core.ParsePayload) => issues.length === 0,
};

const recordV1 = records(identifier, z.never().optional());

/** The members that a client may send; the server creates the id if it is left out. */
export const recordToAppend = visibleRecord(identifier.optional());

/** The stored payload, with its id. */
export const identifiedRecord = visibleRecord(identifier);

/** A section of the story: Markdown, the fields of its kind, or both. `stepId`: the step that it describes. */
export const recordAppended = defineClientEvent(
  'RecordAppended',
  records(identifier, existingOrNewId.optional()),
  {
    line: ({ kind, title }) => `${kind} recorded${optionalText(': ', title)}`,
    idMember: 'recordId',
    aboutMember: 'kind',
    client: { command: 'AppendRecord', payload: recordToAppend },
    history: { version: 2, upcasts: { 1: upcast(recordV1, (record) => record) } },
  },
);

export const recordEvents = [recordAppended] as const;

export const recordItemKinds = [
  defineItemKind('record', {
    rulesReadBody: true,
    view: { section: 'records', heading: ['recordId', 'kind'] },
  }),
] as const;

function visibleRecord<Id extends z.ZodType>(recordId: Id) {
  return records(recordId, existingOrNewId.optional()).refine(
    ({ body = '', fields = {} }) => isVisible(body) || Object.keys(fields).length > 0,
    { ...notEmpty, error: 'must have a visible character if there are no fields' },
  );
}

function records<Id extends z.ZodType, Step extends z.ZodType>(recordId: Id, stepId: Step) {
  const names = { recordId, stepId };
  return z
    .discriminatedUnion('kind', [
      ofKind(names, 'kickoff-insights'),
      ofKind(names, 'dev-record'),
      ofKind(names, 'review-record'),
      ofKind(names, 'failure-analysis'),
      ofKind(names, 'retrospective'),
      ofKind(names, 'uat'),
      ofKind(names, 'custom'),
    ])
    .refine(
      ({ body, fields = {} }) => body !== undefined || Object.keys(fields).length > 0,
      notEmpty,
    );
}

function ofKind<Id extends z.ZodType, Step extends z.ZodType, Kind extends RecordKind>(
  names: Readonly<{ recordId: Id; stepId: Step }>,
  kind: Kind,
) {
  const fields: (typeof recordFields)[Kind] = recordFields[kind];
  return z.strictObject({
    ...names,
    kind: z.literal(kind),
    title: text.max(1000).optional(),
    participants: z.array(identifier).max(100).optional(),
    body: text.optional(),
    fields: fields.optional(),
  });
}
