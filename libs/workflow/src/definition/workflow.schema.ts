import { z } from 'zod';

import { commonFields, jsonObject } from './fields.schema.js';
import { workflowLimits } from './limits.js';
import { count, duration, expressionSource, reference, text, workflowId } from './names.schema.js';
import { type StepDefinition } from './step-types.js';
import { type StepKinds } from './step-kind.js';
import { stepKinds } from './step-kinds.js';

/** Editors show the texts of `describe` to authors. */
const workflowFields = {
  $schema: z.string().max(2_048).describe('The address of this schema, for editors.').optional(),
  id: workflowId.describe('The id of the workflow, which its versions share.'),
  description: text.optional(),
  max_iterations: count.describe('Maximum visits of steps in one run. Default: 100.').optional(),
  max_duration_ms: duration
    .describe(
      'Maximum time of a run, without the time that people take to decide. Default: 300000.',
    )
    .optional(),
  max_errors: count
    .describe('Maximum unhandled failures of steps in one run. Default: 10.')
    .optional(),
  parallel: z
    .boolean()
    .describe('Whether every step without a route to it begins a branch. Default: false.')
    .optional(),
  initial_context: jsonObject
    .describe('Values that expressions read as context.<name>; steps cannot overwrite them.')
    .optional(),
  output: expressionSource
    .describe('An expression: the output of a run. Default: the result of the last step.')
    .optional(),
  enabled: z
    .boolean()
    .describe('False archives the workflow: no run of it can be started. Default: true.')
    .optional(),
  visible_to: z
    .array(reference)
    .max(workflowLimits.names)
    .describe(
      'Who may start runs: agents and other principals by name. Default: all who may start runs.',
    )
    .optional(),
};
const shape = z.object(workflowFields);

export type WorkflowDefinition = Readonly<z.output<typeof shape>> &
  Readonly<{ steps: readonly StepDefinition[] }>;

const schemas = new WeakMap<StepKinds, z.ZodType<WorkflowDefinition>>();

/** The schema of definitions with these step types. */
export function workflowSchema(kinds: StepKinds): z.ZodType<WorkflowDefinition> {
  const schema = schemas.get(kinds) ?? makeSchema(kinds);
  schemas.set(kinds, schema);
  return schema;
}

/** The schema of definitions with the built-in step types. */
export const workflowDefinition = workflowSchema(stepKinds);

function makeSchema(kinds: StepKinds): z.ZodType<WorkflowDefinition> {
  const step = stepSchema(kinds);
  // A union over a dynamic number of kinds has no static type; each member has its declared type.
  return z.strictObject({
    ...workflowFields,
    steps: z
      .array(step)
      .min(1)
      .max(workflowLimits.steps)
      .describe('A run begins at the first one, unless the workflow is parallel.'),
  });
}

function stepSchema(kinds: StepKinds): z.ZodType<StepDefinition> {
  const step: z.ZodType<StepDefinition> = z.lazy(() => union);
  const [first, ...others] = Object.values(kinds).map(({ type, fields }) =>
    z.strictObject({ ...commonFields, type: z.literal(type), ...fields(step) }),
  );
  if (!first) throw new TypeError('no step type is registered');
  // The cast has the same reason.
  const union = z.discriminatedUnion('type', [
    first,
    ...others,
  ]) as unknown as z.ZodType<StepDefinition>;
  return step;
}
