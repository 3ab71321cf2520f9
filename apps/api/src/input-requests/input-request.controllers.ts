import { appendController } from '../http/append-controller.js';
import { eventBody } from '../http/body.reader.js';

export const inputRequestControllers = [
  appendController('requestInput', {
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
  }),
  appendController('provideInput', {
    path: '/v1/contexts/{contextId}/input-requests/{inputRequestId}/provide',
    tag: 'Handovers',
    summary: 'Provide input that was asked for',
    description:
      'A different value replaces the one provided before; the same value changes nothing. The value can be read at the path of the request if there is no other value, and if its provider may fill that place: a person any place, an agent its own outputs, the inputs of an agent that has asked it, and elsewhere the places it was asked for.',
    body: eventBody('InputProvided', { optional: true, fromPath: ['inputRequestId'] }),
    problems: ['not-found'],
    example: { value: { budget: 5 }, note: 'Until the pilot' },
  }),
];
