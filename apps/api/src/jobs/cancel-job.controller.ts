import { Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';

import { CancelJobCommand } from '#application';

import { Answer } from '../http/answer.js';
import { endpoint, Handles } from '../http/endpoint.js';
import { Input, type InputOf } from '../http/input.js';
import { jobResponse } from './job.schema.js';

const cancelJob = endpoint({
  method: 'POST',
  path: '/v1/jobs/{jobId}/cancel',
  tag: 'Projections',
  summary: 'Stop a job, or undo its result',
  description:
    'Before the switch, the job stops within seconds and its rows are removed. After the switch and before confirm, the old rows become live again and catch up. Cancelling again changes nothing.',
  access: 'root',
  audience: 'none',
  answers: { 200: { description: 'The job', schema: jobResponse } },
  problems: ['forbidden', 'not-found', 'run-state'],
});

@Controller()
export class CancelJobController {
  constructor(private readonly commands: CommandBus) {}

  @Handles(cancelJob)
  async cancelJob(@Input(cancelJob) input: InputOf<typeof cancelJob>): Promise<Answer> {
    const { principal, params } = input;
    const command = new CancelJobCommand({ principal, jobId: params.jobId });
    return new Answer(200, await this.commands.execute(command));
  }
}
