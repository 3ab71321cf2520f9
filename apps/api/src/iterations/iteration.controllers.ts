import { appendController } from '../http/append-controller.js';
import { eventBody } from '../http/body.reader.js';

export const iterationControllers = [
  appendController('startIteration', {
    path: '/v1/contexts/{contextId}/iterations',
    tag: 'Iterations',
    summary: 'Start another iteration of a loop',
    description:
      'The one past the limit trips the circuit breaker of its subject and is refused, and so is every one until a person resets it. If other parts of its write are at fault, too, nothing is tripped. `max` may lower the limit, which is 3 unless the settings say otherwise.',
    body: eventBody('IterationStarted'),
    problems: ['circuit-open'],
    example: { subject: 'design_l1' },
  }),
  appendController('resetCircuitBreaker', {
    path: '/v1/contexts/{contextId}/circuit-breakers/{subject}/reset',
    tag: 'Iterations',
    summary: 'Let a loop run again',
    description:
      'Needs a person: keys of role agent are refused. Iterations count from 0 again, up to `max` if that is stated.',
    access: 'operate',
    body: eventBody('CircuitBreakerReset', { optional: true, fromPath: ['subject'] }),
    problems: ['not-found'],
    example: { reason: 'the scope was cut', max: 5 },
  }),
];
