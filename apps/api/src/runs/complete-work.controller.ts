import { Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';

import { ReportWorkCommand } from '#application';
import { workCompletion } from '#workflow';

import { type Answer } from '../http/answer.js';
import { writeAnswers, writeHeaders, writeProblems } from '../http/answers.schema.js';
import { plainBody } from '../http/body.reader.js';
import { writeAnswerOf, factsOf } from '../http/write-endpoint-adapter.js';
import { endpoint, Handles } from '../http/endpoint.js';
import { Input, type InputOf } from '../http/input.js';
import { reportProblems } from './run.schema.js';

const completeWork = endpoint({
  method: 'POST',
  path: '/v1/work/complete',
  tag: 'Runs',
  summary: 'Report the output of an attempt',
  description:
    'Stores the output and its consequences in one append. An identical report changes nothing; a report for an attempt that has ended differently is refused with 409 `stale-attempt`. A key of a narrower audience gets only the event of its report.',
  access: 'write',
  audience: 'written',
  headers: writeHeaders,
  body: plainBody(workCompletion),
  answers: writeAnswers,
  problems: [...writeProblems, ...reportProblems],
  example: { attemptToken: 'WyJzdG9yeS00MiJd', output: { filesCreated: ['src/theme.ts'] } },
});

@Controller()
export class CompleteWorkController {
  constructor(private readonly commands: CommandBus) {}

  @Handles(completeWork)
  async completeWork(@Input(completeWork) input: InputOf<typeof completeWork>): Promise<Answer> {
    const { attemptToken: token, output } = input.body;
    const report = { type: 'complete', output } as const;
    const command = new ReportWorkCommand(factsOf(input, undefined), token, report);
    return writeAnswerOf(await this.commands.execute(command));
  }
}
