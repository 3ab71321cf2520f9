import { Controller } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { z } from 'zod';

import { ListDeadLettersQuery } from '#application';
import { contextId } from '#shared-context';

import { Answer } from '../http/answer.js';
import { listAnswer } from '../http/answers.schema.js';
import { endpoint, Handles } from '../http/endpoint.js';
import { Input, type InputOf } from '../http/input.js';
import { pageQuery } from '../http/query.schema.js';
import { workspaceName } from '../http/workspace.schema.js';
import { deadLetterResponse } from './dead-letter.schema.js';

const listDeadLetters = endpoint({
  method: 'GET',
  path: '/v1/dead-letters',
  tag: 'Projections',
  summary: 'List quarantined contexts, oldest first',
  description:
    'One of their events could not be applied to the read models. Their streams still accept writes, and other contexts are not affected; lists show them as they were before that event.',
  access: 'root',
  audience: 'none',
  query: z.strictObject({
    ...pageQuery,
    workspace: workspaceName.optional(),
    contextId: contextId.optional(),
    type: z.string().min(1).optional().meta({ description: 'The type of the event' }),
  }),
  answers: { 200: listAnswer('A page of dead letters', deadLetterResponse) },
  problems: ['forbidden', 'validation-failed'],
});

@Controller()
export class ListDeadLettersController {
  constructor(private readonly queries: QueryBus) {}

  @Handles(listDeadLetters)
  async listDeadLetters(
    @Input(listDeadLetters) input: InputOf<typeof listDeadLetters>,
  ): Promise<Answer> {
    const { principal, query } = input;
    const page = await this.queries.execute(new ListDeadLettersQuery({ principal, ...query }));
    return new Answer(200, page);
  }
}
