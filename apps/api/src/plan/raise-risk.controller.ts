import { appendController } from '../http/append-controller.js';
import { eventBody } from '../http/body.reader.js';

export const RaiseRiskController = appendController('raiseRisk', {
  path: '/v1/contexts/{contextId}/risks',
  tag: 'Plan',
  summary: 'Raise a risk',
  description:
    'A risk is open until an update states another status; if the request states one, that update is stored in the same append.',
  body: eventBody('RiskRaised'),
  example: {
    riskId: 'RISK-001',
    severity: 'medium',
    description: 'Readers may see stale data',
    mitigation: 'Show when it was read',
  },
});
