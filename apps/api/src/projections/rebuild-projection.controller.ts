import { Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { z } from 'zod';

import { StartRebuildCommand } from '#application';

import { Answer } from '../http/answer.js';
import { plainBody } from '../http/body.reader.js';
import { endpoint, Handles } from '../http/endpoint.js';
import { Input, type InputOf } from '../http/input.js';
import { jobResponse } from '../jobs/job.schema.js';

const fastest = 1_000_000;

const rebuildProjection = endpoint({
  method: 'POST',
  path: '/v1/projections/{projection}/rebuild',
  tag: 'Projections',
  summary: 'Make the rows of a projection anew',
  description:
    'Beside the live ones, which it then replaces at once; reads go on all the while. A projector takes the job up within seconds. The old rows are kept until the job is confirmed or another rebuild is asked for. Idempotency-Key is ignored here: asking again while one is under way is answered with 409 and its jobId.',
  access: 'root',
  audience: 'none',
  body: plainBody(
    z.strictObject({
      rate: z.int().min(1).max(fastest).optional().meta({ description: 'Events a second at most' }),
      verify: z
        .boolean()
        .default(false)
        .meta({ description: 'Compare every context with the live rows, not only some' }),
    }),
    { optional: true },
  ),
  answers: {
    202: { description: 'The job, which waits', schema: jobResponse, headers: ['Location'] },
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
