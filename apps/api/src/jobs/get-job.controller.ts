import { Controller } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';

import { FindJobQuery } from '#application';

import { Answer } from '../http/answer.js';
import { endpoint, Handles } from '../http/endpoint.js';
import { Input, type InputOf } from '../http/input.js';
import { jobResponse } from './job.schema.js';

const getJob = endpoint({
  method: 'GET',
  path: '/v1/jobs/{jobId}',
  tag: 'Projections',
  summary: 'Read a job and its progress',
  description:
    'For polling: the number of applied events, the rate, and the comparison with the live rows.',
  access: 'root',
  audience: 'none',
  answers: { 200: { description: 'The job', schema: jobResponse } },
  problems: ['forbidden', 'not-found'],
});

@Controller()
export class GetJobController {
  constructor(private readonly queries: QueryBus) {}

  @Handles(getJob)
  async getJob(@Input(getJob) input: InputOf<typeof getJob>): Promise<Answer> {
    const { principal, params } = input;
    const query = new FindJobQuery({ principal, jobId: params.jobId });
    return new Answer(200, await this.queries.execute(query));
  }
}
