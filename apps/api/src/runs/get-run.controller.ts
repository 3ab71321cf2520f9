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
    'Returns the active steps, the agents and people that the run waits for since when, and the results of its steps; the outputs are in `stepOutputs` of the context. The status is 404 if the context has no run. Needs the audience "all".',
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
