// The exports of this folder for other libraries.
export { approvalPlaceIn, publicApprovalId } from './approval-id.js';
export { type ApprovalDecision } from './approval.events.js';
export { type StepOutcome } from './attempt.events.js';
export { outputAt } from './frozen-outputs.js';
export { requireNoActiveRun } from './run.decider.js';
export { isSuccess, renderRun } from './run.document.js';
export {
  ApprovalAnsweredError,
  OutputRefusedError,
  OwnWorkError,
  PersonNeededError,
  RunConflictError,
  StaleAttemptError,
} from './run.errors.js';
export { type Guard } from './run.events.js';
export {
  type RunFacts,
  type RunStatus,
  activeMsAt,
  isActiveRun,
  isClockRunning,
  runDueAt,
} from './run.facts.js';
export {
  findRun,
  findRunStep,
  frozenOutputsKey,
  runInputKey,
  runKey,
  runFacts,
  runStepKey,
  stepFacts,
} from './run.item.js';
export { type Author } from './run.payload.js';
export { type RunInterpretation } from './run-interpretation.js';
export {
  type Failure,
  type OpenApproval,
  type StepFacts,
  type StepResult,
  isOpen,
  isWorking,
  routeName,
} from './step.facts.js';
