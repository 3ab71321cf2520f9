import { Controller } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { z } from 'zod';

import { ListKeysQuery } from '#application';

import { Answer } from '../http/answer.js';
import { listAnswer } from '../http/answers.schema.js';
import { endpoint, Handles } from '../http/endpoint.js';
import { Input, type InputOf } from '../http/input.js';
import { pageQuery } from '../http/query.schema.js';
import { keyResponse } from './key.schema.js';

const listKeys = endpoint({
  method: 'GET',
  path: '/v1/keys',
  tag: 'Keys',
  summary: 'List the keys of the workspace',
  access: 'audit',
  audience: 'none',
  query: z.strictObject(pageQuery),
  answers: { 200: listAnswer('A page of keys', keyResponse) },
  problems: ['forbidden', 'validation-failed'],
});

@Controller()
export class ListKeysController {
  constructor(private readonly queries: QueryBus) {}

  @Handles(listKeys)
  async listKeys(@Input(listKeys) input: InputOf<typeof listKeys>): Promise<Answer> {
    const { principal, query } = input;
    const page = await this.queries.execute(new ListKeysQuery({ principal, ...query }));
    return new Answer(200, page);
  }
}
