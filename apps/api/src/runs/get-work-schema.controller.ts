import { Controller } from '@nestjs/common';
import { z } from 'zod';

import { workJsonSchema } from '#workflow';

import { Answer } from '../http/answer.js';
import { endpoint, Handles } from '../http/endpoint.js';

const getWorkSchema = endpoint({
  method: 'GET',
  path: '/schemas/work.json',
  tag: 'Runs',
  summary: 'Read the JSON Schema of the messages of workers',
  description: '`$defs` contains the answer to a claim and the bodies of reports.',
  access: 'public',
  audience: 'none',
  answers: { 200: { description: 'The schema', schema: z.looseObject({}) } },
});

@Controller()
export class GetWorkSchemaController {
  readonly #schema = workJsonSchema();

  @Handles(getWorkSchema)
  getWorkSchema(): Answer {
    return new Answer(200, this.#schema);
  }
}
