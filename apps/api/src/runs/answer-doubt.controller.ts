import { Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { z } from 'zod';

import { AnswerDoubtCommand } from '#application';
import { anyJson } from '#shared-context';

import { type Answer } from '../http/answer.js';
import { writeAnswers, writeHeaders, writeProblems } from '../http/answers.schema.js';
import { plainBody } from '../http/body.reader.js';
import { writeAnswerOf, factsOf } from '../http/write-endpoint-adapter.js';
import { endpoint, Handles } from '../http/endpoint.js';
import { Input, type InputOf } from '../http/input.js';
import { approvalProblems, reason } from './run.schema.js';

const answerDoubt = endpoint({
  method: 'POST',
  path: '/v1/approvals/{approvalId}/answer',
  tag: 'Runs',
  summary: 'Resolve an attempt in doubt',
  description:
    'The worker of the attempt was lost, so it is unknown whether the attempt took effect. `retry` starts another attempt, `skip` continues without the step, `output` sets the result, `fail` fails the attempt. Exactly one answer wins. Needs a person and the audience "all".',
  access: 'operate',
  audience: 'whole',
  headers: writeHeaders,
  body: plainBody(
    z.strictObject({
      action: z.enum(['retry', 'skip', 'output', 'fail']),
      output: anyJson.optional(),
      comment: reason.optional(),
    }),
  ),
  answers: writeAnswers,
  problems: [...writeProblems, ...approvalProblems],
  example: { action: 'retry', comment: 'Nothing was deployed' },
});

@Controller()
export class AnswerDoubtController {
  constructor(private readonly commands: CommandBus) {}

  @Handles(answerDoubt)
  async answerDoubt(@Input(answerDoubt) input: InputOf<typeof answerDoubt>): Promise<Answer> {
    const request = factsOf(input, undefined);
    const command = new AnswerDoubtCommand(request, input.params.approvalId, input.body);
    return writeAnswerOf(await this.commands.execute(command));
  }
}
