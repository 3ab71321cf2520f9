import { maxFaults } from '../json/fault-list.js';
import { problemCodes } from '../problems/problem-code.js';
import { type JsonSchema } from './json-schema.js';

/** Problem details (RFC 9457) as this API returns them. */
export const problemSchema: JsonSchema = {
  type: 'object',
  required: ['type', 'title', 'status', 'detail', 'instance'],
  properties: {
    type: { enum: problemCodes.map((code) => `/problems/${code}`) },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    instance: { type: 'string', description: 'The path of the request' },
    errors: {
      type: 'array',
      description: 'The faults of the input, with RFC 6901 pointers',
      items: {
        type: 'object',
        required: ['pointer', 'detail'],
        properties: {
          pointer: { type: 'string' },
          detail: { type: 'string' },
          suggestion: { type: 'string', description: 'The known member that was probably meant' },
        },
      },
      maxItems: maxFaults,
    },
    moreErrors: {
      type: 'integer',
      description: 'The number of further faults that `errors` does not list',
    },
  },
};
