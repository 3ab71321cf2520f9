import { Controller } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { z } from 'zod';

import { FindVersionQuery, ListChangesQuery } from '#application';

import { Answer, etagOf, versioned } from '../http/answer.js';
import { readProblems } from '../http/answers.schema.js';
import { endpoint, Handles } from '../http/endpoint.js';
import { matchesNone } from '../http/headers.js';
import { Input, type InputOf } from '../http/input.js';
import { audienceQuery, pageQuery, position } from '../http/query.schema.js';
import { contextDifference } from './context-difference.schema.js';

const changeLine = z.looseObject({
  eventId: z.string(),
  version: z.int(),
  type: z.string(),
  recordedAt: z.iso.datetime(),
  principal: z.string(),
  agentId: z
    .string()
    .meta({ description: 'The author: the agent that the principal acts for, or the principal' }),
  line: z.string(),
});

const listChanges = endpoint({
  method: 'GET',
  path: '/v1/contexts/{contextId}/changes',
  tag: 'Contexts',
  summary: 'List what has changed since a position',
  description:
    'The events since the position, oldest first, and on each page the difference that these events made. Later pages have the same range. If a restore returned to a version before the range, the last pages contain no events, only the changes of the restore.',
  access: 'read',
  audience: 'gated',
  cost: 'context',
  headers: ['If-None-Match'],
  query: z.strictObject({
    since: position('A version (0 is before the first), or an RFC 3339 time with offset'),
    ...audienceQuery,
    ...pageQuery,
  }),
  answers: {
    200: {
      description: 'What changed',
      schema: z.looseObject({
        contextId: z.string(),
        from: z.int(),
        to: z.int(),
        difference: contextDifference,
        items: z.array(changeLine),
        nextCursor: z.string().nullable(),
      }),
      headers: ['ETag'],
    },
    304: {
      description: 'Nothing has changed since the answer with this ETag',
      headers: ['ETag'],
    },
  },
  problems: readProblems,
});

@Controller()
export class ListChangesController {
  constructor(private readonly queries: QueryBus) {}

  @Handles(listChanges)
  async listChanges(@Input(listChanges) input: InputOf<typeof listChanges>): Promise<Answer> {
    const { principal, params, query, signal, ifNoneMatch } = input;
    if (ifNoneMatch !== undefined && query.cursor === undefined) {
      const { audience } = query;
      const current = new FindVersionQuery({ principal, ...params, audience, signal });
      const { version, tag } = await this.queries.execute(current);
      const ETag = etagOf(version, tag);
      if (matchesNone(ifNoneMatch, ETag)) return new Answer(304, undefined, { ETag });
    }
    const { page, tag, ...changes } = await this.queries.execute(
      new ListChangesQuery({ principal, ...params, ...query, signal }),
    );
    return versioned({ version: changes.to, tag }, { ...changes, ...page });
  }
}
