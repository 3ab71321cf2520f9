import { Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';

import { ConfirmJobCommand } from '#application';

import { Answer } from '../http/answer.js';
import { endpoint, Handles } from '../http/endpoint.js';
import { Input, type InputOf } from '../http/input.js';
import { jobResponse } from './job.schema.js';

const confirmJob = endpoint({
  method: 'POST',
  path: '/v1/jobs/{jobId}/confirm',
  tag: 'Projections',
  summary: 'Delete the rows that a rebuild has replaced',
  description: 'They cannot be restored afterwards. Confirming again changes nothing.',
  access: 'root',
  audience: 'none',
  answers: { 200: { description: 'The job', schema: jobResponse } },
  problems: ['forbidden', 'not-found', 'run-state'],
});

@Controller()
export class ConfirmJobController {
  constructor(private readonly commands: CommandBus) {}

  @Handles(confirmJob)
  async confirmJob(@Input(confirmJob) input: InputOf<typeof confirmJob>): Promise<Answer> {
    const { principal, params } = input;
    const command = new ConfirmJobCommand({ principal, jobId: params.jobId });
    return new Answer(200, await this.commands.execute(command));
  }
}
