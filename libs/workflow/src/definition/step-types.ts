import { type CommonFields } from './fields.schema.js';
import { type AgentFields, type AgentWork } from './kinds/agent.fields.js';
import { type ApprovalFields, type ApprovalWork } from './kinds/approval.fields.js';
import { type ConditionFields, type ConditionWork } from './kinds/condition.fields.js';
import { type ParallelFields, type ParallelWork } from './kinds/parallel.fields.js';
import { type TransformFields, type TransformWork } from './kinds/transform.fields.js';

/**
 * The step types: `fields` are the members besides those of all steps, and `work` is the compiled form. To add a type,
 * extend this interface (here or by declaration merging) and register it in {@link StepKinds}.
 */
export interface StepTypes {
  agent: { fields: AgentFields; work: AgentWork };
  approval: { fields: ApprovalFields; work: ApprovalWork };
  parallel: {
    fields: ParallelFields & Readonly<{ steps: readonly StepDefinition[] }>;
    work: ParallelWork;
  };
  condition: { fields: ConditionFields; work: ConditionWork };
  transform: { fields: TransformFields; work: TransformWork };
}

export type StepType = keyof StepTypes;

/** A step as its author wrote it. */
export type StepDefinition<Type extends StepType = StepType> = {
  [Each in Type]: CommonFields & StepTypes[Each]['fields'] & Readonly<{ type: Each }>;
}[Type];
