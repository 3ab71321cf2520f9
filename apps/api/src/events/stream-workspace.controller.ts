import { Controller } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { z } from 'zod';

import { FollowWorkspaceQuery } from '#application';

import { requireAcceptsEvents } from '../http/accepted.js';
import { type Answer, EventStreamAnswer } from '../http/answer.js';
import { endpoint, Handles } from '../http/endpoint.js';
import { Input, type InputOf } from '../http/input.js';
import { eventStreamAnswer } from './event-stream.schema.js';

const streamWorkspace = endpoint({
  method: 'GET',
  path: '/v1/stream',
  tag: 'Events',
  summary: 'Follow the events of the workspace',
  description:
    'Sends the events of `GET /v1/feed`, in the order of the log, then new events as they are stored. Ids are opaque; `Last-Event-ID` takes precedence over `after`.',
  access: 'audit',
  audience: 'whole',
  headers: ['Last-Event-ID'],
  query: z.strictObject({
    after: z.string().default('start').meta({
      description:
        'The id of an event of this stream, the nextCursor of a page of the feed, `start`, or `head` for future events only',
    }),
  }),
  answers: { 200: eventStreamAnswer },
  problems: ['forbidden', 'not-found', 'validation-failed', 'invalid-position', 'not-acceptable'],
});

@Controller()
export class StreamWorkspaceController {
  constructor(private readonly queries: QueryBus) {}

  @Handles(streamWorkspace)
  async streamWorkspace(
    @Input(streamWorkspace) input: InputOf<typeof streamWorkspace>,
  ): Promise<Answer> {
    const { principal, query, signal, lastEventId } = input;
    requireAcceptsEvents(input.accept);
    const request = { principal, ...query, lastEventId, signal };
    return new EventStreamAnswer(await this.queries.execute(new FollowWorkspaceQuery(request)));
  }
}
