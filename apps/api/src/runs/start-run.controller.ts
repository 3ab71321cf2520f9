import { Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';

import { StartRunCommand } from '#application';

import { type Answer } from '../http/answer.js';
import { writeAnswers, writeHeaders, writeProblems } from '../http/answers.schema.js';
import { plainBody } from '../http/body.reader.js';
import { answered, factsOf } from '../http/write-endpoint-adapter.js';
import { endpoint, Handles } from '../http/endpoint.js';
import { Input, type InputOf } from '../http/input.js';
import { runToStart } from './run.schema.js';

const startRun = endpoint({
  method: 'POST',
  path: '/v1/contexts/{contextId}/run',
  tag: 'Runs',
  summary: 'Start a run of a workflow in a context',
  description:
    'The version in force, unless one is named. One run is active in a context at a time; while it is, its steps are written by its attempts alone. The answer has the `runId`. Needs the audience "all", and to be among `visible_to` if the definition says who may start it.',
  access: 'write',
  audience: 'whole',
  headers: writeHeaders,
  body: plainBody(runToStart),
  answers: writeAnswers,
  problems: [...writeProblems, 'not-found', 'run-state'],
  example: { definitionId: 'feature-development', input: 'Add a dark mode' },
});

@Controller()
export class StartRunController {
  constructor(private readonly commands: CommandBus) {}

  @Handles(startRun)
  async startRun(@Input(startRun) input: InputOf<typeof startRun>): Promise<Answer> {
    const { definitionId, version, input: given = null } = input.body;
    const request = { ...factsOf(input, undefined), contextId: input.params.contextId };
    const start = { definitionId, version, input: given };
    return answered(await this.commands.execute(new StartRunCommand(request, start)));
  }
}
