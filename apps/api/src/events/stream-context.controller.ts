import { Controller } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { z } from 'zod';

import { FollowContextQuery, contextCursorPattern } from '#application';

import { requireAcceptsEvents } from '../http/accepted.js';
import { type Answer, EventStreamAnswer } from '../http/answer.js';
import { readProblems } from '../http/answers.schema.js';
import { endpoint, Handles } from '../http/endpoint.js';
import { Input, type InputOf } from '../http/input.js';
import { audienceQuery } from '../http/query.schema.js';
import { eventStreamAnswer } from './event-stream.schema.js';

const streamContext = endpoint({
  method: 'GET',
  path: '/v1/contexts/{contextId}/stream',
  tag: 'Events',
  summary: 'Follow the events of a context',
  description:
    'Sends the events of `GET .../events`, oldest first, then new events as they are stored. The id of an event is its version, with a suffix for narrower audiences and after a restore of the store. `Last-Event-ID` takes precedence over `after`.',
  access: 'read',
  audience: 'gated',
  headers: ['Last-Event-ID'],
  query: z.strictObject({
    after: z
      .string()
      .regex(contextCursorPattern, 'must be a version or the id of an event')
      .default('0')
      .meta({
        description:
          'Only events after this version, or after the event of this stream with this id',
      }),
    ...audienceQuery,
  }),
  answers: { 200: eventStreamAnswer },
  problems: [...readProblems, 'not-acceptable'],
});

@Controller()
export class StreamContextController {
  constructor(private readonly queries: QueryBus) {}

  @Handles(streamContext)
  async streamContext(@Input(streamContext) input: InputOf<typeof streamContext>): Promise<Answer> {
    const { principal, params, query, signal, lastEventId } = input;
    requireAcceptsEvents(input.accept);
    const request = { principal, ...params, ...query, lastEventId, signal };
    return new EventStreamAnswer(await this.queries.execute(new FollowContextQuery(request)));
  }
}
