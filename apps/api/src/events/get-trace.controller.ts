import { Controller } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { z } from 'zod';

import { TraceEventQuery } from '#application';

import { Answer } from '../http/answer.js';
import { endpoint, Handles } from '../http/endpoint.js';
import { Input, type InputOf } from '../http/input.js';

const node = z.looseObject({
  eventId: z.uuid(),
  relation: z.enum(['self', 'ancestor', 'descendant', 'correlated']),
  contextId: z.string(),
  version: z.int(),
  type: z.string(),
  recordedAt: z.iso.datetime().nullable(),
  principal: z.string().nullable(),
  agentId: z.string().nullable(),
  correlationId: z.string().nullable(),
  causationId: z.string().nullable(),
  line: z.string().nullable(),
});

const getTrace = endpoint({
  method: 'GET',
  path: '/v1/events/{eventId}/trace',
  tag: 'Events',
  summary: 'Read the causes and effects of an event, and all events of its correlation',
  description:
    'Covers every context that the key may read, in the order of recording; `causationId` names the parent node. At most 1,000 nodes; `truncated` is true if there are more. The newest X-Projection-Lag events may be missing.',
  access: 'read',
  audience: 'whole',
  answers: {
    200: {
      description: 'The trace',
      schema: z.looseObject({
        eventId: z.string(),
        nodes: z.array(node),
        truncated: z.boolean(),
      }),
      headers: ['X-Projection-Lag'],
    },
  },
  problems: ['not-found', 'validation-failed'],
});

@Controller()
export class GetTraceController {
  constructor(private readonly queries: QueryBus) {}

  @Handles(getTrace)
  async getTrace(@Input(getTrace) input: InputOf<typeof getTrace>): Promise<Answer> {
    const { principal, params, signal } = input;
    const { lag, ...trace } = await this.queries.execute(
      new TraceEventQuery({ principal, ...params, signal }),
    );
    const headers = lag === null ? {} : { 'X-Projection-Lag': String(lag) };
    return new Answer(200, { eventId: params.eventId, ...trace }, headers);
  }
}
