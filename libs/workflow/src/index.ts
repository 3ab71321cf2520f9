export { renderMermaid } from './diagram/render-mermaid.js';
export { renderRunMermaid } from './diagram/render-run-mermaid.js';
export { compileWorkflow } from './definition/compile-workflow.js';
export { type Recovery, type Region } from './definition/compiled-parts.js';
export { type CompiledWorkflow } from './definition/compiled-workflow.js';
export { definitionHash } from './definition/content-hash.js';
export { workflowLimits } from './definition/limits.js';
export { countSteps } from './definition/step-tree.js';
export { workflowJsonSchema, workflowSchemaPath } from './definition/workflow-json-schema.js';
export { type WorkflowDefinition, workflowDefinition } from './definition/workflow.schema.js';
export { advance } from './run/advance.js';
export { branchesOf } from './run/branches-of.js';
export { mayReport } from './run/current-attempt.js';
export {
  type ContextView,
  type Envelope,
  effectText,
  envelopeOf,
  envelopeText,
  hiddenReference,
} from './run/envelope.js';
export {
  type Decider,
  type RunCommand as RunCommand,
  type UsualRecovery,
} from './run/run-command.js';
export { maxRunEvents } from './run/guards.js';
export { advanceCommand } from './run/interpretation.js';
export { resultFor, valueOf } from './run/results.js';
export { RunDraft, executor, timeOf } from './run/run-draft.js';
export { type RunVisibility } from './run/run-visibility.js';
export { workCompletion, workEnvelope, workFailure, workJsonSchema } from './run/work.schema.js';
export { verification } from './run/verification.js';
export { type KnownAgents } from './validation/agent-checks.js';
export { type WorkflowFault, faultSeverities } from './validation/fault.js';
export {
  type WorkflowReport,
  type WorkflowSource,
  readWorkflow,
  validateWorkflow,
} from './validation/validate-workflow.js';
