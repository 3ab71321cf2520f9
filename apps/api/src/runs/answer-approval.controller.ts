import { Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { z } from 'zod';

import { DecideApprovalCommand } from '#application';
import { anyJson } from '#shared-context';

import { type Answer } from '../http/answer.js';
import { writeAnswers, writeHeaders, writeProblems } from '../http/answers.schema.js';
import { plainBody } from '../http/body.reader.js';
import { answered, factsOf } from '../http/context-writing.js';
import { endpoint, Handles } from '../http/endpoint.js';
import { Input, type InputOf } from '../http/input.js';
import { approvalProblems, comment } from './run.schema.js';

const answerBody = comment.extend({
  action: z.enum(['retry', 'skip', 'output', 'fail']),
  /** The result of the step, with the action `output`. */
  output: anyJson.optional(),
});

const answerApproval = endpoint({
  method: 'POST',
  path: '/v1/approvals/{approvalId}/answer',
  tag: 'Runs',
  summary: 'Say what becomes of an attempt in doubt',
  description:
    'Its worker is gone, and nobody knows whether it took effect: try it again, skip the step, state its output, or let it fail. Needs a person and the audience "all".',
  access: 'operate',
  audience: 'whole',
  headers: writeHeaders,
  body: plainBody(answerBody),
  answers: writeAnswers,
  problems: [...writeProblems, ...approvalProblems],
  example: { action: 'retry', comment: 'The branch is not there: it took no effect' },
});

@Controller()
export class AnswerApprovalController {
  constructor(private readonly commands: CommandBus) {}

  @Handles(answerApproval)
  async answerApproval(
    @Input(answerApproval) input: InputOf<typeof answerApproval>,
  ): Promise<Answer> {
    const verdict = { type: 'answer', ...input.body } as const;
    const request = factsOf(input, undefined);
    const command = new DecideApprovalCommand(request, input.params.approvalId, verdict);
    return answered(await this.commands.execute(command));
  }
}
