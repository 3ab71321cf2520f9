import { Controller } from '@nestjs/common';

import { Answer } from '../http/answer.js';
import { writeAnswers, writeHeaders, writeProblems } from '../http/answers.schema.js';
import { eventBody } from '../http/body.reader.js';
import { ContextWriting } from '../http/context-writing.js';
import { endpoint, Handles } from '../http/endpoint.js';
import { Input, type InputOf } from '../http/input.js';

const planTask = endpoint({
  method: 'POST',
  path: '/v1/contexts/{contextId}/tasks',
  tag: 'Tasks',
  summary: 'Plan a task',
  description: 'The tasks that it depends on must be planned before it. `estimate` is in hours.',
  access: 'write',
  audience: 'written',
  headers: writeHeaders,
  body: eventBody('TaskPlanned'),
  answers: writeAnswers,
  problems: writeProblems,
  example: {
    taskId: 'task-002',
    title: 'Token service',
    dependsOn: [],
    acceptanceCriteria: ['A token expires after an hour'],
    estimate: 6,
  },
});

@Controller()
export class PlanTaskController {
  constructor(private readonly writing: ContextWriting) {}

  @Handles(planTask)
  planTask(@Input(planTask) input: InputOf<typeof planTask>): Promise<Answer> {
    return this.writing.append(input, input.body);
  }
}
