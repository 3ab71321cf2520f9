import { appendController } from '../http/append-controller.js';
import { eventBody } from '../http/body.reader.js';

export const UpdateRiskController = appendController('updateRisk', {
  path: '/v1/contexts/{contextId}/risks/{riskId}',
  tag: 'Plan',
  summary: 'Update the status or the mitigation of a risk',
  description: 'Without a mitigation the one stated before stays.',
  body: eventBody('RiskUpdated', { fromPath: ['riskId'] }),
  problems: ['not-found'],
  example: { status: 'mitigated' },
});
