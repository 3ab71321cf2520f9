import { Controller } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { z } from 'zod';

import { ReadFeedQuery } from '#application';

import { type Answer, SharedAnswer } from '../http/answer.js';
import { endpoint, Handles } from '../http/endpoint.js';
import { Input, type InputOf } from '../http/input.js';
import { pageQuery, waitQuery } from '../http/query.schema.js';
import { storedEvent } from './stored-event.schema.js';

const readFeed = endpoint({
  method: 'GET',
  path: '/v1/feed',
  tag: 'Events',
  summary: 'Follow every event of the workspace',
  description:
    'In the order of the log, without gaps. Pass `nextCursor` as `after` of the next request: it is always present, and advances even if a page is empty, because a request examines a bounded number of events.',
  access: 'audit',
  audience: 'whole',
  query: z.strictObject({
    after: z.string().default('start').meta({
      description: 'The nextCursor of the previous page, `start`, or `head` for future events only',
    }),
    limit: pageQuery.limit,
    ...waitQuery,
  }),
  answers: {
    200: {
      description: 'The next events, each with its contextId',
      schema: z.object({
        items: z.array(storedEvent.partial().extend({ contextId: z.string() })),
        nextCursor: z.string(),
      }),
    },
  },
  problems: ['forbidden', 'not-found', 'validation-failed', 'invalid-position'],
});

@Controller()
export class ReadFeedController {
  constructor(private readonly queries: QueryBus) {}

  @Handles(readFeed)
  async readFeed(@Input(readFeed) input: InputOf<typeof readFeed>): Promise<Answer> {
    const { principal, query, signal } = input;
    const { after, limit, wait: waitSeconds } = query;
    return new SharedAnswer(
      200,
      await this.queries.execute(
        new ReadFeedQuery({ principal, after, limit, waitSeconds, signal }),
      ),
    );
  }
}
