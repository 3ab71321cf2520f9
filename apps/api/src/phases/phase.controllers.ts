import { appendController } from '../http/append-controller.js';
import { eventBody } from '../http/body.reader.js';

export const phaseControllers = [
  appendController('startPhase', {
    path: '/v1/contexts/{contextId}/phases/{phase}/start',
    tag: 'Phases',
    summary: 'Say that a phase has begun',
    description:
      '`agent` works on it, the author where that is left out. Starting it again changes nothing, unless for another agent or after its completion.',
    body: eventBody('PhaseStarted', { optional: true, fromPath: ['phase'] }),
    example: { agent: 'sdd-architect' },
  }),
  appendController('completePhase', {
    path: '/v1/contexts/{contextId}/phases/{phase}/complete',
    tag: 'Phases',
    summary: 'Say that a phase is over',
    description:
      'Also if nobody said that it had begun. The same again changes nothing; with other outputs it is its newest completion. `agent`: who has completed it, if not the author; the key must be allowed to act for that agent.',
    body: eventBody('PhaseCompleted', { optional: true, fromPath: ['phase'] }),
    example: { outputs: ['design/l1_architecture.md'] },
  }),
];
