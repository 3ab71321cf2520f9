import { Controller } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';

import { FindTransformationQuery } from '#application';

import { Answer } from '../http/answer.js';
import { endpoint, Handles } from '../http/endpoint.js';
import { Input, type InputOf } from '../http/input.js';
import { transformationResponse } from './transformation.schema.js';

const getTransformation = endpoint({
  method: 'GET',
  path: '/v1/transformations/{transformationId}',
  tag: 'Transformations',
  summary: 'Read a transformation',
  access: 'read',
  audience: 'none',
  answers: { 200: { description: 'The transformation', schema: transformationResponse } },
  problems: ['not-found', 'validation-failed'],
});

@Controller()
export class GetTransformationController {
  constructor(private readonly queries: QueryBus) {}

  @Handles(getTransformation)
  async getTransformation(
    @Input(getTransformation) { principal, params }: InputOf<typeof getTransformation>,
  ): Promise<Answer> {
    const query = new FindTransformationQuery(principal, params.transformationId);
    return new Answer(200, await this.queries.execute(query));
  }
}
