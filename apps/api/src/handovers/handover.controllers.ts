import { appendController } from '../http/append-controller.js';
import { eventBody } from '../http/body.reader.js';

export const handoverControllers = [
  appendController('noteHandover', {
    path: '/v1/contexts/{contextId}/handovers',
    tag: 'Handovers',
    summary: 'Hand work over to an agent',
    description:
      'The handover is open, and in the inbox of its addressee (`to`), until that agent or a person acknowledges it. `from` is the author by default; to name another agent, the key must be allowed to act for it.',
    body: eventBody('HandoverNoted'),
    example: {
      to: 'sdd-pe',
      priority: 'critical',
      note: 'Reads outnumber writes four to one',
      relatedArtifacts: ['design/l1_architecture.md'],
      actionItems: ['Detail the contracts between services'],
    },
  }),
  appendController('acknowledgeHandover', {
    path: '/v1/contexts/{contextId}/handovers/{handoverId}/acknowledge',
    tag: 'Handovers',
    summary: 'Acknowledge a handover',
    description:
      'Allowed for the addressee (`to`), for keys that may act for that agent, and for people. Acknowledging it again changes nothing.',
    body: eventBody('HandoverAcknowledged', { optional: true, fromPath: ['handoverId'] }),
    problems: ['not-found'],
    example: { note: 'Seen, starting with the schemas' },
  }),
];
