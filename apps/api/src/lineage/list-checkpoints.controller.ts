import { Controller } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { z } from 'zod';

import { ListCheckpointsQuery } from '#application';

import { Answer, versioned } from '../http/answer.js';
import { listAnswer, readProblems } from '../http/answers.schema.js';
import { endpoint, Handles } from '../http/endpoint.js';
import { Input, type InputOf } from '../http/input.js';
import { audienceQuery, pageQuery } from '../http/query.schema.js';

const checkpoint = z.looseObject({
  name: z.string(),
  version: z.int().min(1),
  createdAt: z.string(),
  createdBy: z.string(),
  automatic: z.boolean(),
});

const listCheckpoints = endpoint({
  method: 'GET',
  path: '/v1/contexts/{contextId}/checkpoints',
  tag: 'Timelines',
  summary: 'List named versions, in the order of naming',
  description:
    'Lists the checkpoints that were created, and automatic ones for the last completion of each agent (`after:<agentId>`) and phase (`after:phase:<phase>`). Automatic checkpoints need no event, and move with the next completion.',
  access: 'read',
  audience: 'gated',
  query: z.strictObject({ ...audienceQuery, ...pageQuery }),
  answers: { 200: { ...listAnswer('A page of checkpoints', checkpoint), headers: ['ETag'] } },
  problems: readProblems,
});

@Controller()
export class ListCheckpointsController {
  constructor(private readonly queries: QueryBus) {}

  @Handles(listCheckpoints)
  async listCheckpoints(
    @Input(listCheckpoints) input: InputOf<typeof listCheckpoints>,
  ): Promise<Answer> {
    const { principal, params, query } = input;
    const request = { principal, ...params, ...query };
    const { page, ...metadata } = await this.queries.execute(new ListCheckpointsQuery(request));
    return versioned(metadata, page);
  }
}
