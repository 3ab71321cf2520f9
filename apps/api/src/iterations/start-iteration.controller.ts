import { Controller } from '@nestjs/common';

import { Answer } from '../http/answer.js';
import { writeAnswers, writeHeaders, writeProblems } from '../http/answers.schema.js';
import { eventBody } from '../http/body.reader.js';
import { ContextWriting } from '../http/context-writing.js';
import { endpoint, Handles } from '../http/endpoint.js';
import { Input, type InputOf } from '../http/input.js';

const startIteration = endpoint({
  method: 'POST',
  path: '/v1/contexts/{contextId}/iterations',
  tag: 'Iterations',
  summary: 'Start another iteration of a loop',
  description:
    'The one past the limit trips the circuit breaker of its subject and is refused, and so is every one until a person resets it. If other parts of its write are at fault, too, nothing is tripped. `max` may lower the limit, which is 3 unless the settings say otherwise.',
  access: 'write',
  audience: 'written',
  headers: writeHeaders,
  body: eventBody('IterationStarted'),
  answers: writeAnswers,
  problems: [...writeProblems, 'circuit-open'],
  example: { subject: 'design_l1' },
});

@Controller()
export class StartIterationController {
  constructor(private readonly writing: ContextWriting) {}

  @Handles(startIteration)
  startIteration(@Input(startIteration) input: InputOf<typeof startIteration>): Promise<Answer> {
    return this.writing.append(input, input.body);
  }
}
