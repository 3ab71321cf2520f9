import { z } from 'zod';

import { type ProblemCode } from '../problems/problem-code.js';
import { type DocumentedAnswer } from './endpoint.js';

const version = z.int().min(1);
const event = z.looseObject({ eventId: z.uuid(), type: z.string(), version });

export const writeAnswer = z.looseObject({
  contextId: z.string(),
  version,
  events: z.array(event),
});

/** The answers of every write to a context. */
export const writeAnswers: Readonly<Record<number, DocumentedAnswer>> = {
  201: { description: 'Stored', schema: writeAnswer, headers: ['ETag'] },
  200: {
    description: 'Nothing to add: `events` is empty',
    schema: writeAnswer,
    headers: ['ETag'],
  },
};

/** The headers of every write to a context. */
export const writeHeaders = [
  'If-Match',
  'Idempotency-Key',
  'Based-On',
  'Correlation-Id',
  'Causation-Id',
  'Trust',
] as const;

/** Problems that every write to a context may return, in addition to the problems of its rules. */
export const writeProblems: readonly ProblemCode[] = [
  'invalid-header',
  'forbidden',
  'context-not-found',
  'context-closed',
  'concurrency-exhausted',
  'version-conflict',
  'payload-too-large',
  'append-too-large',
  'unsupported-media-type',
  'validation-failed',
  'idempotency-key-reused',
  'storage-full',
  'outcome-unknown',
];

export const readProblems: readonly ProblemCode[] = [
  'context-not-found',
  'validation-failed',
  'invalid-position',
  'inside-append',
  'event-unreadable',
];

/** A page of a list. */
export function listAnswer(
  description: string,
  item: z.ZodType = z.looseObject({}),
): DocumentedAnswer {
  return {
    description,
    schema: z.object({ items: z.array(item), nextCursor: z.string().nullable() }),
  };
}
