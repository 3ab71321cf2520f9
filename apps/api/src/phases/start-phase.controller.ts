import { appendController } from '../http/append-controller.js';
import { eventBody } from '../http/body.reader.js';

export const StartPhaseController = appendController('startPhase', {
  path: '/v1/contexts/{contextId}/phases/{phase}/start',
  tag: 'Phases',
  summary: 'Say that a phase has begun',
  description:
    '`agent` works on it, the author where that is left out. Starting it again changes nothing, unless for another agent or after its completion.',
  body: eventBody('PhaseStarted', { optional: true, fromPath: ['phase'] }),
  example: { agent: 'sdd-architect' },
});
