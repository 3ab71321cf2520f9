import { Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';

import { ReportWorkCommand } from '#application';
import { workFailure } from '#workflow';

import { type Answer } from '../http/answer.js';
import { writeAnswers, writeHeaders, writeProblems } from '../http/answers.schema.js';
import { plainBody } from '../http/body.reader.js';
import { writeAnswerOf, factsOf } from '../http/write-endpoint-adapter.js';
import { endpoint, Handles } from '../http/endpoint.js';
import { Input, type InputOf } from '../http/input.js';
import { reportProblems } from './run.schema.js';

const failWork = endpoint({
  method: 'POST',
  path: '/v1/work/fail',
  tag: 'Runs',
  summary: 'Report that an attempt has failed',
  description:
    'The definition determines whether the step is retried, which step handles the failure, or whether the run fails. `code` is the class of the failure; a step can exclude classes from retries. A key of a narrower audience gets only the event of its report.',
  access: 'write',
  audience: 'written',
  headers: writeHeaders,
  body: plainBody(workFailure),
  answers: writeAnswers,
  problems: [...writeProblems, ...reportProblems],
  example: { attemptToken: 'WyJzdG9yeS00MiJd', reason: 'Two tests fail', code: 'tests' },
});

@Controller()
export class FailWorkController {
  constructor(private readonly commands: CommandBus) {}

  @Handles(failWork)
  async failWork(@Input(failWork) input: InputOf<typeof failWork>): Promise<Answer> {
    const { attemptToken: token, ...failed } = input.body;
    const report = { type: 'fail', ...failed } as const;
    const command = new ReportWorkCommand(factsOf(input, undefined), token, report);
    return writeAnswerOf(await this.commands.execute(command));
  }
}
