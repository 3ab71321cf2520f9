import { Controller } from '@nestjs/common';
import { z } from 'zod';

import { agentId, clientEvent } from '#shared-context';

import { Answer } from '../http/answer.js';
import { writeAnswers, writeHeaders, writeProblems } from '../http/answers.schema.js';
import { plainBody } from '../http/body.reader.js';
import { WriteEndpointAdapter } from '../http/write-endpoint-adapter.js';
import { endpoint, Handles } from '../http/endpoint.js';
import { Input, type InputOf } from '../http/input.js';

const maxBatch = 500;

const appendEvents = endpoint({
  method: 'POST',
  path: '/v1/contexts/{contextId}/events',
  tag: 'Events',
  summary: 'Append several events, all or none',
  description:
    'Events are decided in order, each on the state after the ones before. Generated ids are in `events[i]`.',
  access: 'write',
  audience: 'written',
  headers: writeHeaders,
  body: plainBody(
    z.strictObject({
      events: z.array(clientEvent).min(1).max(maxBatch),
      agentId: agentId.optional(),
    }),
  ),
  answers: writeAnswers,
  problems: [...writeProblems, 'decision-topic-taken', 'approval-decided', 'not-found'],
  example: {
    events: [
      { type: 'StepStarted', data: { stepId: 'design' } },
      { type: 'StepOutputAdded', data: { stepId: 'design', output: 'three screens' } },
    ],
  },
});

@Controller()
export class AppendEventsController {
  constructor(private readonly writing: WriteEndpointAdapter) {}

  @Handles(appendEvents)
  appendEvents(@Input(appendEvents) input: InputOf<typeof appendEvents>): Promise<Answer> {
    const { events, agentId: author } = input.body;
    return this.writing.appendAll(input, events, author);
  }
}
