import { Controller } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { z } from 'zod';

import { ListTransformationsQuery } from '#application';

import { Answer } from '../http/answer.js';
import { listAnswer } from '../http/answers.schema.js';
import { endpoint, Handles } from '../http/endpoint.js';
import { Input, type InputOf } from '../http/input.js';
import { pageQuery } from '../http/query.schema.js';
import { transformationResponse } from './transformation.schema.js';

const listTransformations = endpoint({
  method: 'GET',
  path: '/v1/transformations',
  tag: 'Transformations',
  summary: 'List the transformations of the workspace',
  description: 'The current version of each, sorted by id.',
  access: 'read',
  audience: 'none',
  query: z.strictObject(pageQuery),
  answers: { 200: listAnswer('A page of transformations', transformationResponse) },
  problems: ['validation-failed'],
});

@Controller()
export class ListTransformationsController {
  constructor(private readonly queries: QueryBus) {}

  @Handles(listTransformations)
  async listTransformations(
    @Input(listTransformations) { principal, query }: InputOf<typeof listTransformations>,
  ): Promise<Answer> {
    const page = await this.queries.execute(new ListTransformationsQuery(principal, query));
    return new Answer(200, page);
  }
}
