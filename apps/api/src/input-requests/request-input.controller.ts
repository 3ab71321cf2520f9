import { appendController } from '../http/append-controller.js';
import { eventBody } from '../http/body.reader.js';

export const RequestInputController = appendController('requestInput', {
  path: '/v1/contexts/{contextId}/input-requests',
  tag: 'Handovers',
  summary: 'Ask an agent for input',
  description:
    '`from` is whom it is asked of: it is in the inbox of that agent until it is provided.',
  body: eventBody('InputRequested'),
  example: {
    path: 'analyst.outputs.project_brief.budget',
    from: 'analyst',
    reason: 'The estimate rests on it',
  },
});
