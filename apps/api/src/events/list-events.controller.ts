import { Controller } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { z } from 'zod';

import { ListEventsQuery } from '#application';

import { type Answer, sharedVersioned } from '../http/answer.js';
import { listAnswer, readProblems } from '../http/answers.schema.js';
import { endpoint, Handles } from '../http/endpoint.js';
import { Input, type InputOf } from '../http/input.js';
import {
  asOfQuery,
  audienceQuery,
  pageQuery,
  severalTexts,
  waitQuery,
  wholeNumber,
} from '../http/query.schema.js';
import { requireEventTypes } from './event-types.js';
import { storedEvent } from './stored-event.schema.js';

/** More than the number of event types; bounded because a waiting request holds them in memory. */
const maxTypes = 100;

const listEvents = endpoint({
  method: 'GET',
  path: '/v1/contexts/{contextId}/events',
  tag: 'Events',
  summary: 'List events as stored, oldest first',
  description:
    'A page ends at its limit, at 8 MiB of payload, or after 5,000 events or 16 MiB were examined. With a filter, a page may therefore be empty and still have a nextCursor.',
  access: 'read',
  audience: 'gated',
  query: z.strictObject({
    after: wholeNumber(
      { minimum: 0, maximum: Number.MAX_SAFE_INTEGER, default: 0 },
      'Only events after this version',
    ).default(0),
    type: severalTexts(
      'Only events of this type; repeat the parameter for several types',
    ).optional(),
    types: z
      .string()
      .transform((types) => types.split(','))
      .refine((types) => types.length <= maxTypes, `must be at most ${maxTypes} types`)
      .optional()
      .meta({
        documented: {
          type: 'string',
          description: `Like type, with at most ${maxTypes} types separated by commas`,
        },
      }),
    ...waitQuery,
    ...asOfQuery,
    ...audienceQuery,
    ...pageQuery,
  }),
  answers: { 200: { ...listAnswer('A page of events', storedEvent), headers: ['ETag'] } },
  problems: readProblems,
});

@Controller()
export class ListEventsController {
  constructor(private readonly queries: QueryBus) {}

  @Handles(listEvents)
  async listEvents(@Input(listEvents) input: InputOf<typeof listEvents>): Promise<Answer> {
    const { principal, params, query, signal } = input;
    const { wait: waitSeconds, type, types, ...range } = query;
    requireEventTypes({ type: type ?? [], types: types ?? [] });
    const named = type || types ? [...(type ?? []), ...(types ?? [])] : undefined;
    const request = { principal, ...params, ...range, types: named, waitSeconds, signal };
    const { page, ...metadata } = await this.queries.execute(new ListEventsQuery(request));
    return sharedVersioned(metadata, page);
  }
}
