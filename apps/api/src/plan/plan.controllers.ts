import { appendController } from '../http/append-controller.js';
import { eventBody } from '../http/body.reader.js';

export const planControllers = [
  appendController('recordRequirement', {
    path: '/v1/contexts/{contextId}/requirements',
    tag: 'Plan',
    summary: 'Record a requirement',
    description:
      'Recording the same id again adds a revision; an identical requirement changes nothing.',
    body: eventBody('RequirementRecorded'),
    example: { requirementId: 'R-3.2', kind: 'non_functional', text: '10,000 concurrent users' },
  }),
  appendController('raiseRisk', {
    path: '/v1/contexts/{contextId}/risks',
    tag: 'Plan',
    summary: 'Raise a risk',
    description:
      'A risk is open until an update sets another status; if the request sets one, that update is stored in the same append.',
    body: eventBody('RiskRaised'),
    example: {
      riskId: 'RISK-001',
      severity: 'medium',
      description: 'Readers may see stale data',
      mitigation: 'Show when it was read',
    },
  }),
  appendController('updateRisk', {
    path: '/v1/contexts/{contextId}/risks/{riskId}',
    tag: 'Plan',
    summary: 'Update the status or the mitigation of a risk',
    description: 'Without a mitigation, the earlier one stays.',
    body: eventBody('RiskUpdated', { fromPath: ['riskId'] }),
    problems: ['not-found'],
    example: { status: 'mitigated' },
  }),
  appendController('declareDependency', {
    path: '/v1/contexts/{contextId}/dependencies',
    tag: 'Plan',
    summary: 'Declare a dependency',
    description: 'Declaring the same name with the other kind corrects the kind.',
    body: eventBody('DependencyDeclared'),
    example: { name: 'Redis', kind: 'external' },
  }),
  appendController('raiseBlocker', {
    path: '/v1/contexts/{contextId}/blockers',
    tag: 'Plan',
    summary: 'Raise a blocker',
    body: eventBody('BlockerRaised'),
    example: { blockerId: 'BLK-1', description: 'No access to the payment sandbox' },
  }),
  appendController('clearBlocker', {
    path: '/v1/contexts/{contextId}/blockers/{blockerId}/clear',
    tag: 'Plan',
    summary: 'Clear a blocker',
    description: 'Clearing again changes nothing.',
    body: eventBody('BlockerCleared', { optional: true, fromPath: ['blockerId'] }),
    problems: ['not-found'],
    example: { note: 'the sandbox is open' },
  }),
];
