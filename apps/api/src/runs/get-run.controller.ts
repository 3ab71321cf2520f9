import { Controller } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';

import { FindRunQuery } from '#application';

import { Answer } from '../http/answer.js';
import { endpoint, Handles } from '../http/endpoint.js';
import { Input, type InputOf } from '../http/input.js';
import { runResponse } from './run.schema.js';

const getRun = endpoint({
  method: 'GET',
  path: '/v1/contexts/{contextId}/run',
  tag: 'Runs',
  summary: 'Read the newest run of a context',
  description:
    'Where it is, for whom it waits since when, and how its steps have ended; the outputs are `stepOutputs` of the context. 404 if there is none. Needs the audience "all".',
  access: 'read',
  audience: 'whole',
  answers: { 200: { description: 'The run', schema: runResponse } },
  problems: ['forbidden', 'context-not-found', 'not-found', 'event-unreadable'],
});

@Controller()
export class GetRunController {
  constructor(private readonly queries: QueryBus) {}

  @Handles(getRun)
  async getRun(@Input(getRun) { principal, params }: InputOf<typeof getRun>): Promise<Answer> {
    const query = new FindRunQuery(principal, params.contextId);
    return new Answer(200, await this.queries.execute(query));
  }
}
