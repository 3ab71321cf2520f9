import { z } from 'zod';

import { type JsonObject, parseJsonObject } from '#event-sourcing';
import { anyJson, identifier } from '#shared-context';

const time = z.iso.datetime();
const count = z.int().min(1);
const jsonObject = z.record(z.string(), anyJson);

/** The schema of an attempt for a worker: see Envelope. */
export const workEnvelope = z.object({
  agent: z.string().describe('The agent whose attempt it is'),
  attemptToken: z
    .string()
    .describe(
      'The token for heartbeats and reports of the attempt; only the key that claimed it may use it',
    ),
  deadline: time.describe('The deadline for a report, by the clock of the database'),
  timeoutMs: z.int().min(0).describe('The time from the claim to the deadline'),
  contextId: z.string(),
  runId: z.string(),
  step: z.strictObject({
    id: z.string(),
    path: z.string().describe('`<step>#<visit>`, unique in the run'),
    name: z.string().nullable(),
    parameters: jsonObject,
    visit: count,
    attempt: count,
  }),
  input: anyJson.describe('The input of the run; null if it is hidden from the key'),
  references: jsonObject.describe('The values that the `input` of the step names'),
  context: jsonObject.optional().describe('The results of all earlier steps, by id and alias'),
  view: z
    .string()
    .optional()
    .describe('The view that replaces a context larger than the budget of the agent'),
  receipt: z.string().nullable().describe('The receipt of the view'),
  failure: z
    .strictObject({
      stepId: z.string(),
      path: z.string(),
      message: z.string(),
      code: z.string().nullable(),
      attempts: z.int().min(0),
    })
    .nullable()
    .describe('The failure that the step handles, if it is an error handler'),
  feedback: z.string().nullable().describe('The comment of the approval that led to this step'),
  effectKey: z.string().describe('The same for all attempts of a visit with the same values'),
  recovers: z
    .strictObject({ attempt: count, verify: z.boolean() })
    .nullable()
    .describe('The attempt in doubt before this one'),
});

/** The body of `POST /v1/work/complete`. */
export const workCompletion = z.strictObject({
  attemptToken: z.string().min(1).max(4_096),
  output: anyJson,
});

/** The body of `POST /v1/work/fail`. */
export const workFailure = z.strictObject({
  attemptToken: z.string().min(1).max(4_096),
  reason: z.string().min(1).max(10_000),
  code: identifier
    .optional()
    .describe('The class of the failure, which a step may exclude from retries'),
  retryable: z.boolean().default(true),
  retryAfterMs: z.int().min(0).max(86_400_000).optional(),
  output: anyJson.optional(),
});

/** The path of the schema on a server. */
const workSchemaPath = '/schemas/work.json';

/** The JSON Schema (2020-12) of envelopes and reports, as `$defs`. */
export function workJsonSchema(): JsonObject {
  const [envelope, completion, failure] = [workEnvelope, workCompletion, workFailure].map(convert);
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: workSchemaPath,
    title: 'Envelopes and reports of workers',
    $defs: { envelope, completion, failure },
  } as JsonObject;
}

function convert(schema: z.ZodType): JsonObject {
  const converted = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      // The only custom schema is that of any JSON value.
      if (zodSchema._zod.def.type === 'custom') delete jsonSchema.type;
    },
  });
  // The dialect is named once, at the top level.
  const members = Object.entries(converted).filter(([name]) => name !== '$schema');
  return parseJsonObject(JSON.stringify(Object.fromEntries(members)));
}
