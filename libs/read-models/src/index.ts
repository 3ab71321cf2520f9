export { type AttentionCandidate, listAttentionCandidates } from './attention/attention.queries.js';
export { findDecisionsOfContexts } from './attention/decisions-of-contexts.js';
export { findActivityAt } from './contexts/activity-at.queries.js';
export {
  type ContextFilter,
  type ContextListPosition,
  findPositionAfter,
  listContexts,
} from './search/context-list.queries.js';
export { type ContextSnapshot, ContextReader } from './contexts/context-reader.js';
export {
  type ContextSizes,
  findContextSizes,
  hasLargerContext,
} from './contexts/context-sizes.queries.js';
export { findOpenItems } from './contexts/open-items.queries.js';
export { findProjectedVersion } from './contexts/projected-version.queries.js';
export { findChangedDecisions } from './contexts/changed-decisions.js';
export { type TracedItems, findEventsOfItems } from './contexts/events-of-items.js';
export { findDependents } from './contexts/dependent-items.js';
export { findLowestBase } from './contexts/lowest-base.js';
export { streamEvents } from './contexts/stream-events.js';
export { findStepItems } from './contexts/step-items.js';
export { type WalkedEvent, walkVersions } from './contexts/version-walk.js';
export { beforeAllVersions, listItemHistory } from './contexts/item-history.js';
export { type Selection, wholeDocument } from './contexts/item-selection.js';
export { packTouched, packedItem } from './contexts/packed-body.js';
export { findItemSizes } from './contexts/item-sizes.queries.js';
export { registerContext } from './contexts/head-rows.js';
export { keysOf, projectEvents } from './contexts/project-events.js';
export { countChildren, findChildren } from './families/children.queries.js';
export { type WorkKind, workKinds, workOf } from './open-work/open-work.js';
export {
  type ListedWork,
  type Obstacles,
  type WorkFilter,
  type InboxPosition,
  findObstacles,
  listWork,
} from './open-work/open-work.queries.js';
export { attemptIn, epochIn, runIn, statusIn, visitIn } from './runs/run-state.js';
export { type ListedRun, type RunListPosition, listRuns } from './runs/run-list.queries.js';
export { announceProjections } from './projector/announce-projections.js';
export { Projector } from './projector/projector.js';
export {
  type DeadLetter,
  type DeadLetterFilter,
  findDeadLetter,
  listDeadLetters,
} from './projector/dead-letters.js';
export { retryDeadLetter } from './projector/retry-dead-letter.js';
export {
  sharedContextProjection,
  sharedContextVersion,
} from './projector/shared-context.projection.js';
export { type ProjectionStatus, listProjections } from './projector/projection-status.js';
export { type RebuildJob, RebuildUnderWayError, buildNames } from './rebuild/rebuild-job.js';
export { listJobs } from './rebuild/rebuild-job.queries.js';
export {
  type JobProgress,
  JobStateError,
  cancelJob,
  confirmJob,
  findProgress,
  startRebuild,
} from './rebuild/rebuild-jobs.js';
export { RebuildRunner } from './rebuild/rebuild-runner.js';
export type { RebuildScope } from './rebuild/run-rebuild.js';
export { compareLines } from './row-verification/compare-context.js';
export { ContextFold } from './row-verification/context-fold.js';
export { listProjectedContexts } from './row-verification/projected-contexts.js';
export {
  type ProjectedContext,
  findOrphan,
  findProjectionOrigin,
  readProjectedContexts,
} from './row-verification/projected-rows.js';
export { type RowLines, digestOf } from './row-verification/row-lines.js';
export { matchesSearch } from './search/matches-search.js';
export { type SearchStatus, findSearchStatus, readModelMark } from './search/search-lag.queries.js';
export { type Search } from './search/search-conditions.js';
export { SearchIndexer } from './search/search-indexer.js';
export { SearchLag } from './search/search-lag.js';
export { UnsearchedMemberError, splitPattern } from './search/search-pattern.js';
export { WordQueryError, parseWordQuery } from './search/search-words.js';
export { findGroupTallies, storeGroupTallies } from './view-tallies/group-tallies.queries.js';
export { findTextCounts, storeTextCounts } from './view-tallies/text-counts.queries.js';
export { findDueSummaries } from './summaries/find-due.js';
export { type SizedContext, type SizedItem, findSizedItems } from './summaries/sized-items.js';
export {
  type SummaryLease,
  claimSummary,
  releaseSummary,
  settleSummary,
} from './summaries/summary-leases.js';
export { type SummaryStatus, findSummaryStatus } from './summaries/summary-status.js';
export { readModelTableNames } from './tables.js';
export {
  type TraceLink,
  type TracedEvent,
  findTracedEvents,
} from './contexts/event-trace.queries.js';
export { sha256 } from './sha256.js';
