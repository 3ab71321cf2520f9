import { z } from 'zod';

import { type JsonValue } from '#event-sourcing';
import { type WorkflowSource, faultSeverities, workflowSchemaPath } from '#workflow';

import { type BodyReader } from '../http/body.reader.js';
import { invalidInput } from '../problems/problem.error.js';

/** A version of a definition, without the definition itself. */
export const workflowResponse = z.looseObject({
  definitionId: z.string(),
  version: z.int().min(1),
  hash: z.string(),
  description: z.string().nullable(),
  enabled: z.boolean(),
  visibleTo: z.array(z.string()).nullable(),
  steps: z.int().min(1),
  publishedAt: z.iso.datetime(),
  publishedBy: z.string(),
});

export const fullWorkflowResponse = workflowResponse.extend({
  definition: z.looseObject({ id: z.string(), steps: z.array(z.looseObject({})) }),
});

export const faultResponse = z.looseObject({
  code: z.enum(Object.keys(faultSeverities)),
  severity: z.enum(['error', 'warning']),
  message: z.string(),
  pointer: z.string(),
  suggestion: z.string().optional(),
  line: z.int().optional(),
  column: z.int().optional(),
});

const documented = z.union([
  z
    .looseObject({
      id: z.string(),
      steps: z.array(z.looseObject({ id: z.string(), type: z.string() })),
    })
    .describe(`A definition; ${workflowSchemaPath} is its schema.`),
  z
    .string()
    .describe(
      'The text of a definition: JSON with comments and trailing commas. Faults have lines and columns.',
    ),
]);

/** A definition as JSON, or its text as a JSON string. The validation of the definition reports its faults. */
export const definitionBody: BodyReader<WorkflowSource> = {
  optional: false,
  schema: documented,
  isStatement: false,
  fromPath: [],
  read: (body) => {
    if (typeof body === 'string') return body;
    if (typeof body === 'object' && body !== null && !Array.isArray(body))
      // The cast is safe: the body was parsed from JSON.
      return body as Exclude<JsonValue, string>;
    throw invalidInput([{ pointer: '', detail: 'must be a definition as an object or as text' }]);
  },
};

/** A valid definition, for examples. */
export const definitionExample = {
  id: 'feature',
  steps: [
    { id: 'plan', type: 'agent', agent: 'planner', next: 'approve' },
    { id: 'approve', type: 'approval', on_approve: 'code', on_reject: 'plan', max_visits: 3 },
    { id: 'code', type: 'agent', agent: 'coder', input: 'plan' },
  ],
} as const;
