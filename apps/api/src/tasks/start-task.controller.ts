import { Controller } from '@nestjs/common';

import { Answer } from '../http/answer.js';
import { writeAnswers, writeHeaders, writeProblems } from '../http/answers.schema.js';
import { eventBody } from '../http/body.reader.js';
import { ContextWriting } from '../http/context-writing.js';
import { endpoint, Handles } from '../http/endpoint.js';
import { Input, type InputOf } from '../http/input.js';

const startTask = endpoint({
  method: 'POST',
  path: '/v1/contexts/{contextId}/tasks/{taskId}/start',
  tag: 'Tasks',
  summary: 'Start a task',
  description:
    'Starting a running task changes nothing, unless it names another `agent`. A blocked or completed task is resumed.',
  access: 'write',
  audience: 'written',
  headers: writeHeaders,
  body: eventBody('TaskStarted', { optional: true, fromPath: ['taskId'] }),
  answers: writeAnswers,
  problems: [...writeProblems, 'not-found'],
  example: { agent: 'sdd-coder' },
});

@Controller()
export class StartTaskController {
  constructor(private readonly writing: ContextWriting) {}

  @Handles(startTask)
  startTask(@Input(startTask) input: InputOf<typeof startTask>): Promise<Answer> {
    return this.writing.append(input, input.body);
  }
}
