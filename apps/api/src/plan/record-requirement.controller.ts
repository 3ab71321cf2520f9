import { appendController } from '../http/append-controller.js';
import { eventBody } from '../http/body.reader.js';

export const RecordRequirementController = appendController('recordRequirement', {
  path: '/v1/contexts/{contextId}/requirements',
  tag: 'Plan',
  summary: 'Record a requirement',
  description: 'The same id again is a new revision; the identical requirement changes nothing.',
  body: eventBody('RequirementRecorded'),
  example: { requirementId: 'R-3.2', kind: 'non_functional', text: '10,000 concurrent users' },
});
