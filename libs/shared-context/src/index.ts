export { type AttentionReason, attentionReasons } from './attention.js';
export {
  type ClientEvent,
  type ClientEventType,
  type ClientPayload,
  clientEvent,
  clientPayloads,
  commandFromEvent,
} from './client-event.js';
export type {
  AdvanceRun,
  AddSummary,
  CreateCheckpoint,
  ForkContext,
  ImportBaseline,
  RestoreContext,
  ApproveDecision,
  DeriveValue,
  CommandOf,
  ContextCommand,
  CreateContext,
  EmitSignals,
  RecordDecision,
  RejectDecision,
  PlanTask,
  StartIteration,
  TripCircuitBreaker,
} from './context.command.js';
export * from './comparison/context.difference.js';
export { type LostBasis } from './comparison/stale.comparison.js';
export { eventLine } from './comparison/event-line.js';
export { replacesWholeState } from './comparison/replaces-whole-state.js';
export { type ConsistencyReport, checkConsistency } from './consistency/check-consistency.js';
export { type Finding, findingCodes, findingSeverities } from './consistency/finding.js';
export { type RegisteredAgent } from './registered-agent.js';
export { areCurrent, scoresKey, scoresOf } from './quality/quality.item.js';
export { derivedFacts, derivedKey } from './derived/derived.item.js';
export {
  type Child,
  type ChildCount,
  type Family,
  renderFamily,
  renderPastFamily,
} from './families/family.document.js';
export { citedVersion } from './basis/cited-version.js';
export { type EndedDecision } from './basis/ended-index.js';
export { basisIn, endedDecisions, lostBasis, staleWork, workKinds } from './basis/stale-work.js';
export { childKinds, visibleChild } from './families/visible-child.js';
export { renderArtifact, renderArtifacts } from './artifacts/artifact.document.js';
export {
  activityMembers,
  documentMembers,
  familyMembers,
  identifyingMembers,
  kindsOfMembers,
  memberDefinitions,
  renderDocument,
  searchedKinds,
  selectMembers,
} from './context.document.js';
export { type DocumentFacts, type SearchedMember } from './document-part.js';
export { citedDecisions } from './basis/cited-decisions.js';
export { type StalePath, Staleness, hasStaleDecision, withGap } from './basis/staleness.js';
export { baselineIn } from './metrics/baseline.item.js';
export { findDecision } from './decisions/decision.item.js';
export { recordedStatus } from './decisions/decision.fold.js';
export { renderDecision, renderDecisions } from './decisions/decision.document.js';
export {
  namedOutputKey,
  outputValueKey,
  stepFailureKey,
  stepKey,
  stepOutputKey,
} from './item-keys.js';
export { type CarriedHandover, openHandovers } from './handovers/carried-handover.js';
export { renderHandover } from './handovers/handover.document.js';
export { renderIssue } from './reviews/review.document.js';
export { renderTask } from './tasks/task.document.js';
export { type ProvidedValue, providedKey, providedValues } from './input-requests/provided.item.js';
export { renderInputRequest } from './input-requests/input-request.document.js';
export { renderLoop, statusOf as breakerStatusOf } from './loops/loop.document.js';
export { type ContinuedLoop, continuedLoops } from './loops/carried-loops.js';
export { isAtLimit, loopFacts } from './loops/loop.item.js';
export { type Priority, priorities, defaultPriority } from './priority.js';
export { renderStepOutput } from './steps/step.document.js';
export { hasOpenSteps, openStepKinds } from './steps/step.state.js';
export { type Activity, isSameActivity, noActivity, withoutProposals } from './outcome/activity.js';
export { type ContextOutcome, contextOutcomes, outcomeOf } from './outcome/context-outcome.js';
export { renderCurrentState } from './outcome/current-state.js';
export {
  activityKinds,
  activityOf,
  activityOnBase,
  advanceActivity,
} from './steps/step.activity.js';
export { CircuitOpenError, TrippedBreakerError } from './loops/loop.errors.js';
export { defaultMaxIterations, maxIterations } from './loops/loop.events.js';
export { contextDecider, itemNeedsBody, namedKeys, requiredKeys } from './context.decider.js';
export {
  type Issue,
  NotExpressibleError,
  NotFoundError,
  absentDetail,
  RuleViolationError,
} from './context.errors.js';
export {
  type ContextEvent,
  type ContextEventType,
  type EventData,
  type NewContextEvent,
  type DecidedEvent,
  type RecordedContextEvent,
  type RecordedFacts,
  type RecordedOf,
  type Visibility,
  authorOf,
  contextEvents,
  contextRegistry,
  happenedAt,
  createdIds,
} from './context.events.js';
export * from './context-place.js';
export { foldEvent, foldEventInSteps, touchedKeys } from './context.fold.js';
export { patchersKey } from './global/global.fold.js';
export { ContextState, changedItem } from './context-state.js';
export { type Source, sourceOf } from './source.js';
export { isTraced } from './traced-kind.js';
export { differences } from './difference/document.difference.js';
export * from './decisions/decision.errors.js';
export { type Item, type ItemChange, type ItemKey, type ItemLookup } from './item.js';
export { type ItemKind, itemKindDefinitions, itemKinds } from './item-kinds.js';
export { bodyReaderOf, lazyItem, withFacts } from './lazy-item.js';
export { renderAllCheckpoints, renderCheckpoints } from './lineage/checkpoint.document.js';
export {
  type Base,
  baseOf,
  contentKinds,
  copiedKeys,
  isContent,
  rebase,
  shifted,
} from './lineage/lineage.js';
export { type ParsedSignal, parseSignals } from './signals/parse-signals.js';
export { renderSummary } from './summaries/summary.document.js';
export { longestSummary, maxSources } from './summaries/summary.events.js';
export {
  type SummaryFacts,
  summarizedIn,
  summarizedKey,
  summaryFacts,
  summaryKey,
} from './summaries/summary.item.js';
export { shownVersion } from './shown-version.js';
export { checkpointName, completionOf } from './lineage/automatic-checkpoint.js';
export { findCheckpoint, namedKey } from './lineage/lineage.decider.js';
export { CheckpointMovedError, VersionAheadError } from './lineage/lineage.errors.js';
export { type AppendRange, InsideAppendError } from './lineage/inside-append.error.js';
export * from './life/life.errors.js';
export { type ContextCreation, creationIn, creationKey, lifeKey } from './life/life.fold.js';
export { openItems, openKinds } from './outcome/open-items.js';
export { createsContext } from './life/life.decider.js';
export {
  type StatedOutcome,
  contextCreated,
  contextToCreate,
  statedOutcomes,
} from './life/life.events.js';
export { memberMeant, unknownMember } from './other-names.js';
export { Pace, finish } from './pace.js';
export {
  agentId,
  anyJson,
  contextId,
  existingId,
  existingOrNewId,
  identifier,
  maxMembers,
  statedValues,
} from './payload.schema.js';
export * from './agent-names.js';
export * from './runs/runs.exports.js';
export * from './sources/sources.exports.js';
export * from './stream/stream.exports.js';
