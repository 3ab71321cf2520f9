import { appendController } from '../http/append-controller.js';
import { eventBody } from '../http/body.reader.js';
import { ListDecisionsController } from './list-decisions.controller.js';
import { GetKnowledgeController } from './get-knowledge.controller.js';

export const decisionControllers = [
  appendController('approveDecision', {
    path: '/v1/contexts/{contextId}/decisions/{decisionId}/approve',
    tag: 'Decisions',
    summary: 'Approve a pending decision',
    description: 'Needs a person: keys of role agent are refused.',
    access: 'operate',
    body: eventBody('DecisionApproved', { optional: true, fromPath: ['decisionId'] }),
    problems: ['approval-decided', 'not-found', 'decision-topic-taken'],
    example: { reason: 'checked with legal' },
  }),
  ListDecisionsController,
  GetKnowledgeController,
  appendController('recordDecision', {
    path: '/v1/contexts/{contextId}/decisions',
    tag: 'Decisions',
    summary: 'Record a decision',
    description:
      'At most one decision per topic is live: a new one must name the one that it supersedes. A decision whose confidence is too low waits for a person: the `status` in the answer is then `pending`.',
    body: eventBody('DecisionRecorded'),
    problems: ['decision-topic-taken', 'not-found'],
    example: {
      topic: 'session-store',
      decision: 'Use signed cookies',
      rationale: 'No server state to keep',
      confidence: 0.9,
    },
  }),
  appendController('rejectDecision', {
    path: '/v1/contexts/{contextId}/decisions/{decisionId}/reject',
    tag: 'Decisions',
    summary: 'Reject a pending decision',
    description: 'Needs a person: keys of role agent are refused.',
    access: 'operate',
    body: eventBody('DecisionRejected', { optional: true, fromPath: ['decisionId'] }),
    problems: ['approval-decided', 'not-found'],
    example: { reason: 'too costly' },
  }),
];
