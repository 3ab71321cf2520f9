import { Controller } from '@nestjs/common';

import { Answer } from '../http/answer.js';
import { writeAnswers, writeHeaders, writeProblems } from '../http/answers.schema.js';
import { eventBody } from '../http/body.reader.js';
import { ContextWriting } from '../http/context-writing.js';
import { endpoint, Handles } from '../http/endpoint.js';
import { Input, type InputOf } from '../http/input.js';

const completeTask = endpoint({
  method: 'POST',
  path: '/v1/contexts/{contextId}/tasks/{taskId}/complete',
  tag: 'Tasks',
  summary: 'Complete a task',
  description: 'Completing it again changes nothing.',
  access: 'write',
  audience: 'written',
  headers: writeHeaders,
  body: eventBody('TaskCompleted', { optional: true, fromPath: ['taskId'] }),
  answers: writeAnswers,
  problems: [...writeProblems, 'not-found'],
  example: {},
});

@Controller()
export class CompleteTaskController {
  constructor(private readonly writing: ContextWriting) {}

  @Handles(completeTask)
  completeTask(@Input(completeTask) input: InputOf<typeof completeTask>): Promise<Answer> {
    return this.writing.append(input, input.body);
  }
}
