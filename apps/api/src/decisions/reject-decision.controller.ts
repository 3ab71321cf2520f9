import { appendController } from '../http/append-controller.js';
import { eventBody } from '../http/body.reader.js';

export const RejectDecisionController = appendController('rejectDecision', {
  path: '/v1/contexts/{contextId}/decisions/{decisionId}/reject',
  tag: 'Decisions',
  summary: 'Reject a pending decision',
  description: 'Needs a person: keys of role agent are refused.',
  access: 'operate',
  body: eventBody('DecisionRejected', { optional: true, fromPath: ['decisionId'] }),
  problems: ['approval-decided', 'not-found'],
  example: { reason: 'too costly' },
});
