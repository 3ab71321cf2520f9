import { z } from 'zod';

import { commonFields, jsonObject } from './fields.schema.js';
import { workflowLimits } from './limits.js';
import { count, duration, expressionSource, reference, text, workflowId } from './names.schema.js';
import { type StepDefinition } from './step-types.js';
import { type StepKinds } from './step-kind.js';
import { stepKinds } from './step-kinds.js';

const workflowFields = {
  id: workflowId,
  description: text.optional(),
  /** Visits of steps in one run. */
  max_iterations: count.optional(),
  /** Of a run, without the time that people take to decide. */
  max_duration_ms: duration.optional(),
  /** Failed steps in one run that nothing handles. */
  max_errors: count.optional(),
  /** Every step that no other one leads to begins a branch. */
  parallel: z.boolean().optional(),
  /** `context.<name>`, which no step can overwrite. */
  initial_context: jsonObject.optional(),
  /** An expression; without it the output of a run is that of its last step. */
  output: expressionSource.optional(),
  /** False archives the workflow: no run of it can be started. */
  enabled: z.boolean().optional(),
  /** Who may start runs: agents and other principals by their names. */
  visible_to: z.array(reference).max(workflowLimits.names).optional(),
};
const shape = z.object(workflowFields);

export type WorkflowDefinition = Readonly<z.output<typeof shape>> &
  Readonly<{ steps: readonly StepDefinition[] }>;

/** The schema of definitions whose steps are of these types. */
export function workflowSchema(kinds: StepKinds): z.ZodType<WorkflowDefinition> {
  const step = stepSchema(kinds);
  // A union of as many objects as there are kinds has no static type; each member is of the type that it is given.
  return z.strictObject({
    ...workflowFields,
    steps: z.array(step).min(1).max(workflowLimits.steps),
  }) as unknown as z.ZodType<WorkflowDefinition>;
}

/** The schema of definitions with the types of steps that every definition may have. */
export const workflowDefinition = workflowSchema(stepKinds);

function stepSchema(kinds: StepKinds): z.ZodType<StepDefinition> {
  const step: z.ZodType<StepDefinition> = z.lazy(() => union);
  const [first, ...others] = Object.values(kinds).map(({ type, fields }) =>
    z.strictObject({ ...commonFields, type: z.literal(type), ...fields(step) }),
  );
  if (!first) throw new TypeError('no type of step is registered');
  // As above.
  const union = z.discriminatedUnion('type', [
    first,
    ...others,
  ]) as unknown as z.ZodType<StepDefinition>;
  return step;
}
