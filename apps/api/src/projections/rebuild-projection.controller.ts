import { Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { z } from 'zod';

import { StartRebuildCommand } from '#application';

import { Answer } from '../http/answer.js';
import { plainBody } from '../http/body.reader.js';
import { endpoint, Handles } from '../http/endpoint.js';
import { Input, type InputOf } from '../http/input.js';
import { jobResponse } from '../jobs/job.schema.js';

const maxRate = 1_000_000;

const rebuildProjection = endpoint({
  method: 'POST',
  path: '/v1/projections/{projection}/rebuild',
  tag: 'Projections',
  summary: 'Rebuild the rows of a projection',
  description:
    'Builds new rows next to the live rows and then replaces the live rows in one step; reads continue all the time. A projector starts the job within seconds. The old rows are retained until the job is confirmed or another rebuild is requested. Idempotency-Key is ignored here: a request during a rebuild is refused with 409 and the jobId of that rebuild.',
  access: 'root',
  audience: 'none',
  body: plainBody(
    z.strictObject({
      rate: z
        .int()
        .min(1)
        .max(maxRate)
        .optional()
        .meta({ description: 'The maximum number of events per second' }),
      verify: z
        .boolean()
        .default(false)
        .meta({ description: 'Compare every context with the live rows, not only a sample' }),
    }),
    { optional: true },
  ),
  answers: {
    202: { description: 'The waiting job', schema: jobResponse, headers: ['Location'] },
  },
  problems: ['forbidden', 'not-found', 'run-state', 'validation-failed'],
  example: { verify: true },
});

@Controller()
export class RebuildProjectionController {
  constructor(private readonly commands: CommandBus) {}

  @Handles(rebuildProjection)
  async rebuildProjection(
    @Input(rebuildProjection) input: InputOf<typeof rebuildProjection>,
  ): Promise<Answer> {
    const { principal, params, body } = input;
    const job = await this.commands.execute(
      new StartRebuildCommand({ principal, projection: params.projection, ...body }),
    );
    return new Answer(202, job, { Location: `/v1/jobs/${job.jobId}` });
  }
}
