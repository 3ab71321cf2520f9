import { Controller } from '@nestjs/common';

import { Answer } from '../http/answer.js';
import { writeAnswers, writeHeaders, writeProblems } from '../http/answers.schema.js';
import { eventBody } from '../http/body.reader.js';
import { ContextWriting } from '../http/context-writing.js';
import { endpoint, Handles } from '../http/endpoint.js';
import { Input, type InputOf } from '../http/input.js';

const declareDependency = endpoint({
  method: 'POST',
  path: '/v1/contexts/{contextId}/dependencies',
  tag: 'Plan',
  summary: 'Declare a dependency',
  description: 'The same name again as the other kind corrects it.',
  access: 'write',
  audience: 'written',
  headers: writeHeaders,
  body: eventBody('DependencyDeclared'),
  answers: writeAnswers,
  problems: writeProblems,
  example: { name: 'Redis', kind: 'external' },
});

@Controller()
export class DeclareDependencyController {
  constructor(private readonly writing: ContextWriting) {}

  @Handles(declareDependency)
  declareDependency(
    @Input(declareDependency) input: InputOf<typeof declareDependency>,
  ): Promise<Answer> {
    return this.writing.append(input, input.body);
  }
}
