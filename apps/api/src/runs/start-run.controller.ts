import { Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';

import { StartRunCommand } from '#application';

import { type Answer } from '../http/answer.js';
import { writeAnswers, writeHeaders, writeProblems } from '../http/answers.schema.js';
import { plainBody } from '../http/body.reader.js';
import { writeAnswerOf, factsOf } from '../http/write-endpoint-adapter.js';
import { endpoint, Handles } from '../http/endpoint.js';
import { Input, type InputOf } from '../http/input.js';
import { runToStart } from './run.schema.js';

const startRun = endpoint({
  method: 'POST',
  path: '/v1/contexts/{contextId}/run',
  tag: 'Runs',
  summary: 'Start a run of a workflow in a context',
  description:
    'Uses the current version of the definition, unless `version` is set. A context has at most one active run; during the run, only its attempts can write its steps. The answer contains the `runId`. Needs the audience "all", and the key must match `visible_to` if the definition has it.',
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
    const { definitionId, version, input: runInput = null } = input.body;
    const request = { ...factsOf(input, undefined), contextId: input.params.contextId };
    const start = { definitionId, version, input: runInput };
    return writeAnswerOf(await this.commands.execute(new StartRunCommand(request, start)));
  }
}
