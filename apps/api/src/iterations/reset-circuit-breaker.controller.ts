import { appendController } from '../http/append-controller.js';
import { eventBody } from '../http/body.reader.js';

export const ResetCircuitBreakerController = appendController('resetCircuitBreaker', {
  path: '/v1/contexts/{contextId}/circuit-breakers/{subject}/reset',
  tag: 'Iterations',
  summary: 'Let a loop run again',
  description:
    'Needs a person: keys of role agent are refused. Iterations count from 0 again, up to `max` if that is stated.',
  access: 'operate',
  body: eventBody('CircuitBreakerReset', { optional: true, fromPath: ['subject'] }),
  problems: ['not-found'],
  example: { reason: 'the scope was cut', max: 5 },
});
