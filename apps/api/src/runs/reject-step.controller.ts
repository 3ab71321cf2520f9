import { Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';

import { DecideApprovalCommand } from '#application';

import { type Answer } from '../http/answer.js';
import { writeAnswers, writeHeaders, writeProblems } from '../http/answers.schema.js';
import { plainBody } from '../http/body.reader.js';
import { writeAnswerOf, factsOf } from '../http/write-endpoint-adapter.js';
import { endpoint, Handles } from '../http/endpoint.js';
import { Input, type InputOf } from '../http/input.js';
import { approvalProblems, comment } from './run.schema.js';

const rejectStep = endpoint({
  method: 'POST',
  path: '/v1/approvals/{approvalId}/reject',
  tag: 'Runs',
  summary: 'Reject a request of a run',
  description:
    'Exactly one decision wins, and the comment is passed to the next step. Needs a person who is not the author of the work, and the audience "all".',
  access: 'operate',
  audience: 'whole',
  headers: writeHeaders,
  body: plainBody(comment, { optional: true }),
  answers: writeAnswers,
  problems: [...writeProblems, ...approvalProblems],
  example: { comment: 'The plan is too broad' },
});

@Controller()
export class RejectStepController {
  constructor(private readonly commands: CommandBus) {}

  @Handles(rejectStep)
  async rejectStep(@Input(rejectStep) input: InputOf<typeof rejectStep>): Promise<Answer> {
    const verdict = { decision: 'rejected', comment: input.body.comment } as const;
    const request = factsOf(input, undefined);
    const command = new DecideApprovalCommand(request, input.params.approvalId, verdict);
    return writeAnswerOf(await this.commands.execute(command));
  }
}
