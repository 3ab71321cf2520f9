import { Controller } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { z } from 'zod';

import { ListProjectionsQuery } from '#application';

import { Answer } from '../http/answer.js';
import { endpoint, Handles } from '../http/endpoint.js';
import { Input, type InputOf } from '../http/input.js';
import { projectionResponse } from './projection.schema.js';

const listProjections = endpoint({
  method: 'GET',
  path: '/v1/projections',
  tag: 'Projections',
  summary: 'Read the progress of the read models',
  description:
    'The state with its reason, the lag, and the owner of each partition. Documents, step outputs and decisions are current even if the projections lag; lists and searches may be behind.',
  access: 'root',
  audience: 'none',
  answers: {
    200: {
      description: 'Every projection',
      schema: z.object({ items: z.array(projectionResponse) }),
    },
  },
  problems: ['forbidden'],
});

@Controller()
export class ListProjectionsController {
  constructor(private readonly queries: QueryBus) {}

  @Handles(listProjections)
  async listProjections(
    @Input(listProjections) input: InputOf<typeof listProjections>,
  ): Promise<Answer> {
    return new Answer(200, await this.queries.execute(new ListProjectionsQuery(input.principal)));
  }
}
