import { appendController } from '../http/append-controller.js';
import { eventBody } from '../http/body.reader.js';

export const ApproveDecisionController = appendController('approveDecision', {
  path: '/v1/contexts/{contextId}/decisions/{decisionId}/approve',
  tag: 'Decisions',
  summary: 'Approve a pending decision',
  description: 'Needs a person: keys of role agent are refused.',
  access: 'operate',
  body: eventBody('DecisionApproved', { optional: true, fromPath: ['decisionId'] }),
  problems: ['approval-decided', 'not-found', 'decision-topic-taken'],
  example: { reason: 'checked with legal' },
});
