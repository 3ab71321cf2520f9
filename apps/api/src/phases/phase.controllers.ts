import { appendController } from '../http/append-controller.js';
import { eventBody } from '../http/body.reader.js';

export const phaseControllers = [
  appendController('startPhase', {
    path: '/v1/contexts/{contextId}/phases/{phase}/start',
    tag: 'Phases',
    summary: 'Start a phase',
    description:
      '`agent` is the agent that works on it, by default the author. Starting it again changes nothing, except for another agent or after its completion.',
    body: eventBody('PhaseStarted', { optional: true, fromPath: ['phase'] }),
    example: { agent: 'sdd-architect' },
  }),
  appendController('completePhase', {
    path: '/v1/contexts/{contextId}/phases/{phase}/complete',
    tag: 'Phases',
    summary: 'Complete a phase',
    description:
      'The phase need not have been started. An identical completion changes nothing; other outputs become its newest completion. `agent` is the agent that has completed it, by default the author; to name another agent, the key must be allowed to act for it.',
    body: eventBody('PhaseCompleted', { optional: true, fromPath: ['phase'] }),
    example: { outputs: ['design/l1_architecture.md'] },
  }),
];
