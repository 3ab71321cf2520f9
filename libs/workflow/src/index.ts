export { AuthoredText } from './authoring/authored-text.js';
export { type TextPosition } from './authoring/line-index.js';
export { renderMermaid } from './diagram/render-mermaid.js';
export { renderRunMermaid } from './diagram/render-run-mermaid.js';
export { type RunSnapshot } from './diagram/run-snapshot.js';
export { compileWorkflow } from './definition/compile-workflow.js';
export {
  type AttemptPolicy,
  type ErrorRoute,
  type Recovery,
  type Region,
  type RetryPolicy,
  type Route,
} from './definition/compiled-parts.js';
export {
  type CommonStep,
  type CompiledStep,
  type CompiledWorkflow,
} from './definition/compiled-workflow.js';
export { canonicalJson, definitionHash } from './definition/content-hash.js';
export { workflowDefaults } from './definition/defaults.js';
export { InvalidWorkflowError } from './definition/definition.error.js';
export { expressionRoots, outcomeFields, resultFields } from './definition/expression-names.js';
export { type AgentWork } from './definition/kinds/agent.fields.js';
export { type ApprovalWork } from './definition/kinds/approval.fields.js';
export { type ConditionWork } from './definition/kinds/condition.fields.js';
export { type FailurePolicy, type ParallelWork } from './definition/kinds/parallel.fields.js';
export { type TransformWork } from './definition/kinds/transform.fields.js';
export { workflowLimits } from './definition/limits.js';
export { reservedNames, skipKeyword } from './definition/names.schema.js';
export {
  type ExitOutcome,
  type StepExit,
  type StepKind,
  type StepKinds,
} from './definition/step-kind.js';
export { stepKinds } from './definition/step-kinds.js';
export { countSteps } from './definition/step-tree.js';
export { type StepDefinition, type StepType, type StepTypes } from './definition/step-types.js';
export { workflowJsonSchema, workflowSchemaPath } from './definition/workflow-json-schema.js';
export {
  type WorkflowDefinition,
  workflowDefinition,
  workflowSchema,
} from './definition/workflow.schema.js';
export { advance } from './run/advance.js';
export { branchesOf } from './run/branches-of.js';
export { mayReport } from './run/current-attempt.js';
export { interpreterVersion } from './run/control.js';
export {
  type ContextView,
  type Envelope,
  effectText,
  envelopeOf,
  givenText,
  hiddenReference,
} from './run/envelope.js';
export {
  type Circumstances,
  type Decider,
  type Happening,
  type UsualRecovery,
} from './run/happening.js';
export { mostRunEvents } from './run/guards.js';
export { advanceCommand, keysOf } from './run/interpretation.js';
export { outcomeOf, resultFor, valueOf } from './run/results.js';
export { RunDraft, executor, timeOf } from './run/run-draft.js';
export { type RunVisibility } from './run/run-visibility.js';
export { workCompletion, workEnvelope, workFailure, workJsonSchema } from './run/work.schema.js';
export { type Verification, verification } from './run/verification.js';
export { type KnownAgents } from './validation/agent-checks.js';
export { type WorkflowFault, faultSeverities } from './validation/fault.js';
export {
  type ReadOptions as ReadWorkflowOptions,
  type WorkflowReport,
  type WorkflowSource,
  readWorkflow,
  validateWorkflow,
} from './validation/validate-workflow.js';
