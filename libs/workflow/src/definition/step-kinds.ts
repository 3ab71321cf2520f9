import { agentKind } from './kinds/agent.kind.js';
import { approvalKind } from './kinds/approval.kind.js';
import { conditionKind } from './kinds/condition.kind.js';
import { parallelKind } from './kinds/parallel.kind.js';
import { transformKind } from './kinds/transform.kind.js';
import { type StepDefinition } from './step-types.js';
import { type StepKind, type StepKinds } from './step-kind.js';

/** The step types that are available in every definition. */
export const stepKinds: StepKinds = {
  agent: agentKind,
  approval: approvalKind,
  parallel: parallelKind,
  condition: conditionKind,
  transform: transformKind,
};

/** The kind of a step; its functions accept this step. */
export function kindOf(step: StepDefinition, kinds: StepKinds): StepKind {
  // The table has each kind under its own type, which TypeScript cannot express for a union of types.
  return kinds[step.type] as unknown as StepKind;
}
