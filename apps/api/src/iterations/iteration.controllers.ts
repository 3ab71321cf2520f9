import { appendController } from '../http/append-controller.js';
import { eventBody } from '../http/body.reader.js';

export const iterationControllers = [
  appendController('startIteration', {
    path: '/v1/contexts/{contextId}/iterations',
    tag: 'Iterations',
    summary: 'Start another iteration of a loop',
    description:
      'The iteration after the limit trips the circuit breaker of the subject and is refused, and so is every further one until a person resets the breaker. If the write has other faults too, it does not trip the breaker. `max` may lower the limit, which is 3 unless the settings change it.',
    body: eventBody('IterationStarted'),
    problems: ['circuit-open'],
    example: { subject: 'design_l1' },
  }),
  appendController('resetCircuitBreaker', {
    path: '/v1/contexts/{contextId}/circuit-breakers/{subject}/reset',
    tag: 'Iterations',
    summary: 'Reset the circuit breaker of a loop',
    description:
      'Needs a person: keys of role agent are refused. Iterations count from 0 again, up to `max` if it is set.',
    access: 'operate',
    body: eventBody('CircuitBreakerReset', { optional: true, fromPath: ['subject'] }),
    problems: ['not-found'],
    example: { reason: 'the scope was cut', max: 5 },
  }),
];
