import { Controller } from '@nestjs/common';

import { Answer } from '../http/answer.js';
import { writeAnswers, writeHeaders, writeProblems } from '../http/answers.schema.js';
import { eventBody } from '../http/body.reader.js';
import { ContextWriting } from '../http/context-writing.js';
import { endpoint, Handles } from '../http/endpoint.js';
import { Input, type InputOf } from '../http/input.js';

const resetCircuitBreaker = endpoint({
  method: 'POST',
  path: '/v1/contexts/{contextId}/circuit-breakers/{subject}/reset',
  tag: 'Iterations',
  summary: 'Let a loop run again',
  description:
    'Needs a person: keys of role agent are refused. Iterations count from 0 again, up to `max` if that is stated.',
  access: 'operate',
  audience: 'written',
  headers: writeHeaders,
  body: eventBody('CircuitBreakerReset', { optional: true, fromPath: ['subject'] }),
  answers: writeAnswers,
  problems: [...writeProblems, 'not-found'],
  example: { reason: 'the scope was cut', max: 5 },
});

@Controller()
export class ResetCircuitBreakerController {
  constructor(private readonly writing: ContextWriting) {}

  @Handles(resetCircuitBreaker)
  resetCircuitBreaker(
    @Input(resetCircuitBreaker) input: InputOf<typeof resetCircuitBreaker>,
  ): Promise<Answer> {
    return this.writing.append(input, input.body);
  }
}
