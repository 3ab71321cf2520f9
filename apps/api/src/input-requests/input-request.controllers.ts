import { appendController } from '../http/append-controller.js';
import { eventBody } from '../http/body.reader.js';

export const inputRequestControllers = [
  appendController('requestInput', {
    path: '/v1/contexts/{contextId}/input-requests',
    tag: 'Handovers',
    summary: 'Ask an agent for input',
    description: 'The request is in the inbox of the agent `from` until the input is provided.',
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
    summary: 'Provide requested input',
    description:
      'A different value replaces the one provided before; the same value changes nothing. The value can be read at the path of the request if the path has no other value and the provider may write to it: a person to any path; an agent to its own outputs, to the inputs of an agent that requested the input from it, and to other paths if the input was requested from it.',
    body: eventBody('InputProvided', { optional: true, fromPath: ['inputRequestId'] }),
    problems: ['not-found'],
    example: { value: { budget: 5 }, note: 'Until the pilot' },
  }),
];
