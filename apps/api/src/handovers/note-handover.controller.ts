import { appendController } from '../http/append-controller.js';
import { eventBody } from '../http/body.reader.js';

export const NoteHandoverController = appendController('noteHandover', {
  path: '/v1/contexts/{contextId}/handovers',
  tag: 'Handovers',
  summary: 'Hand work over to an agent',
  description:
    'It is open, and in the inbox of its addressee (`to`), until that agent or a person acknowledges it. `from` is the author by default; otherwise, the key must be allowed to act for that agent.',
  body: eventBody('HandoverNoted'),
  example: {
    to: 'sdd-pe',
    priority: 'critical',
    note: 'Reads outnumber writes four to one',
    relatedArtifacts: ['design/l1_architecture.md'],
    actionItems: ['Detail the contracts between services'],
  },
});
