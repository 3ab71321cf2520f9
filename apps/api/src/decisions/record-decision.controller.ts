import { appendController } from '../http/append-controller.js';
import { eventBody } from '../http/body.reader.js';

export const RecordDecisionController = appendController('recordDecision', {
  path: '/v1/contexts/{contextId}/decisions',
  tag: 'Decisions',
  summary: 'Record a decision',
  description:
    'At most one decision per topic is live: a new one must name the one that it supersedes. A decision with too little confidence waits for a person: the `status` in the answer is then `pending`.',
  body: eventBody('DecisionRecorded'),
  problems: ['decision-topic-taken', 'not-found'],
  example: {
    topic: 'session-store',
    decision: 'Use signed cookies',
    rationale: 'No server state to keep',
    confidence: 0.9,
  },
});
