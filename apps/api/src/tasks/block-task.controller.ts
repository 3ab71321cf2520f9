import { Controller } from '@nestjs/common';

import { Answer } from '../http/answer.js';
import { writeAnswers, writeHeaders, writeProblems } from '../http/answers.schema.js';
import { eventBody } from '../http/body.reader.js';
import { ContextWriting } from '../http/context-writing.js';
import { endpoint, Handles } from '../http/endpoint.js';
import { Input, type InputOf } from '../http/input.js';

const blockTask = endpoint({
  method: 'POST',
  path: '/v1/contexts/{contextId}/tasks/{taskId}/block',
  tag: 'Tasks',
  summary: 'Block a task, with the reason',
  description: 'Starting the task unblocks it.',
  access: 'write',
  audience: 'written',
  headers: writeHeaders,
  body: eventBody('TaskBlocked', { fromPath: ['taskId'] }),
  answers: writeAnswers,
  problems: [...writeProblems, 'not-found'],
  example: { reason: 'The schema is not agreed' },
});

@Controller()
export class BlockTaskController {
  constructor(private readonly writing: ContextWriting) {}

  @Handles(blockTask)
  blockTask(@Input(blockTask) input: InputOf<typeof blockTask>): Promise<Answer> {
    return this.writing.append(input, input.body);
  }
}
