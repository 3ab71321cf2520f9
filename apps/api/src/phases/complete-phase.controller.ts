import { appendController } from '../http/append-controller.js';
import { eventBody } from '../http/body.reader.js';

export const CompletePhaseController = appendController('completePhase', {
  path: '/v1/contexts/{contextId}/phases/{phase}/complete',
  tag: 'Phases',
  summary: 'Say that a phase is over',
  description:
    'Also if nobody said that it had begun. The same again changes nothing; with other outputs it is its newest completion. `agent`: who has completed it, if not the author; the key must be allowed to act for that agent.',
  body: eventBody('PhaseCompleted', { optional: true, fromPath: ['phase'] }),
  example: { outputs: ['design/l1_architecture.md'] },
});
