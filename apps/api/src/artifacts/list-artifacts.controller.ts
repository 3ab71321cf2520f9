import { Controller } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { z } from 'zod';

import { ListArtifactsQuery } from '#application';

import { Answer, versioned } from '../http/answer.js';
import { listAnswer, readProblems } from '../http/answers.schema.js';
import { endpoint, Handles } from '../http/endpoint.js';
import { Input, type InputOf } from '../http/input.js';
import { asOfQuery, audienceQuery, pageQuery } from '../http/query.schema.js';

const listArtifacts = endpoint({
  method: 'GET',
  path: '/v1/contexts/{contextId}/artifacts',
  tag: 'Artifacts',
  summary: 'List the latest revision of each artifact',
  access: 'read',
  audience: 'gated',
  query: z.strictObject({ ...asOfQuery, ...audienceQuery, ...pageQuery }),
  answers: { 200: { ...listAnswer('A page of artifacts'), headers: ['ETag'] } },
  problems: readProblems,
});

@Controller()
export class ListArtifactsController {
  constructor(private readonly queries: QueryBus) {}

  @Handles(listArtifacts)
  async listArtifacts(@Input(listArtifacts) input: InputOf<typeof listArtifacts>): Promise<Answer> {
    const { principal, params, query, signal } = input;
    const request = { principal, ...params, ...query, signal };
    const { page, ...metadata } = await this.queries.execute(new ListArtifactsQuery(request));
    return versioned(metadata, page);
  }
}
