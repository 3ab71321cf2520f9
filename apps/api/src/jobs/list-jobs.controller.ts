import { Controller } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { z } from 'zod';

import { ListJobsQuery } from '#application';

import { Answer } from '../http/answer.js';
import { listAnswer } from '../http/answers.schema.js';
import { endpoint, Handles } from '../http/endpoint.js';
import { Input, type InputOf } from '../http/input.js';
import { pageQuery } from '../http/query.schema.js';
import { jobResponse } from './job.schema.js';

const listJobs = endpoint({
  method: 'GET',
  path: '/v1/jobs',
  tag: 'Projections',
  summary: 'List jobs, newest first',
  access: 'root',
  audience: 'none',
  query: z.strictObject(pageQuery),
  answers: { 200: listAnswer('A page of jobs', jobResponse) },
  problems: ['forbidden', 'validation-failed'],
});

@Controller()
export class ListJobsController {
  constructor(private readonly queries: QueryBus) {}

  @Handles(listJobs)
  async listJobs(@Input(listJobs) input: InputOf<typeof listJobs>): Promise<Answer> {
    const { principal, query } = input;
    return new Answer(200, await this.queries.execute(new ListJobsQuery({ principal, ...query })));
  }
}
