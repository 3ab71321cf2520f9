import { appendController } from '../http/append-controller.js';
import { eventBody } from '../http/body.reader.js';

export const AcknowledgeHandoverController = appendController('acknowledgeHandover', {
  path: '/v1/contexts/{contextId}/handovers/{handoverId}/acknowledge',
  tag: 'Handovers',
  summary: 'Acknowledge a handover',
  description:
    'For the agent whom it is `to`, which is a key that may act for it, and for people. Acknowledging it again changes nothing.',
  body: eventBody('HandoverAcknowledged', { optional: true, fromPath: ['handoverId'] }),
  problems: ['not-found'],
  example: { note: 'Seen, starting with the schemas' },
});
