export { seesEverything } from './access/reach.js';
export { type Principal, type Role, principalSchema, roles } from './access/principal.js';
export {
  type PolicyView,
  type ListedPolicyView,
  FindPolicyQuery,
  ListPoliciesQuery,
  SetPolicyCommand,
} from './audiences/policies.messages.js';
export {
  type AgentView,
  FindAgentQuery,
  ListAgentsQuery,
  PutAgentCommand,
  RegisterAgentCommand,
} from './agents/agents.messages.js';
export { CheckAgentCommand } from './agent-checks/check-agent.command.js';
export { ApplicationModule } from './application.module.js';
export { HasLargeContextsQuery, IsLargeContextQuery } from './reading/is-large-context.handler.js';
export { CloseContextCommand, type StillOpen } from './closing/close-context.command.js';
export { CheckContextQuery } from './consistency/check-context.query.js';
export {
  ConcurrencyExhaustedError,
  ConditionFailedError,
  EventUnreadableError,
  ForbiddenError,
  IdempotencyKeyReusedError,
  InvalidInputError,
  InvalidPositionError,
  KeyEndedError,
  ResourceNotFoundError,
  RunStateError,
  ServerBusyError,
  TooManyWaitingError,
} from './errors.js';
export { type InboxPage, ListInboxQuery } from './inbox/list-inbox.query.js';
export * from './document-exchange/document-exchange.messages.js';
export { newId } from './new-id.js';
export { AuthenticateQuery, rootPrincipal } from './authentication/authentication.js';
export {
  AuthenticateSessionQuery,
  OpenRootSessionCommand,
  OpenSessionCommand,
  type Session,
} from './authentication/sessions.js';
export { KeyStore, hashSecret, newSecret } from './authentication/key-store.js';
export { CreateKeyCommand, ListKeysQuery, RevokeKeyCommand } from './keys/keys.messages.js';
export { type KeyGrant, type KeyView } from './authentication/key-grant.js';
export * from './live-streams/live-stream.messages.js';
export { contextCursorPattern } from './live-streams/context-cursor.js';
export { ContextChanges } from './long-polls/context-changes.js';
export { ExportSignatures } from './event-exchange/export-signatures.js';
export { ImportConflictError } from './event-exchange/import.errors.js';
export {
  type ChainVerdict,
  ExportContextQuery,
  ImportEventsCommand,
  type ImportedContext,
  VerifyContextQuery,
} from './event-exchange/event-exchange.messages.js';
export {
  CancelJobCommand,
  ConfirmJobCommand,
  FindJobQuery,
  type JobView,
  ListDeadLettersQuery,
  ListJobsQuery,
  ListProjectionsQuery,
  RetryDeadLetterCommand,
  StartRebuildCommand,
} from './jobs/jobs.messages.js';
export {
  type PromptRequest,
  type RenderedPrompt,
  RenderPromptQuery,
} from './prompts/prompt.messages.js';
export { type DocumentText } from './reading/document-text.js';
export { FindReaderGroupQuery, ReissueReceiptQuery } from './contexts/reader-group.js';
export { nearThreshold } from './reading/context-row.js';
export {
  FindContextQuery,
  FindStepOutputQuery,
  FindVersionQuery,
  ListArtifactsQuery,
  ListContextsQuery,
  ListDecisionsQuery,
  ListEventsQuery,
  ListStepOutputsQuery,
} from './contexts/context.queries.js';
export { type AsOf, type SnapshotTag } from './reading/snapshot-tag.js';
export { type Page, type PageRequest } from './paging/page.js';
export {
  FindKnowledgeQuery,
  FindReceiptQuery,
  type DecisionKnowledge,
  type ReceiptView,
  textMissing,
} from './receipt-replay/receipt.messages.js';
export { InvalidReceiptError, ReceiptErasedError } from './receipts/receipt.errors.js';
export {
  CompareContextQuery,
  ListChangesQuery,
  ReadFeedQuery,
  TraceEventQuery,
} from './history/history.queries.js';
export { parseRfc3339, rfc3339Time } from './rfc3339.js';
export {
  ChangeSettingsCommand,
  FindSettingsQuery,
  type Settings,
  defaultSettings,
  settingsSchema,
} from './settings/settings.messages.js';
export { type ViewTallyEvents } from './view-tallies/view-tally-store.js';
export { openSummaries } from './summaries/open-summaries.js';
export { type SummaryWorker } from './summaries/summary-worker.js';
export {
  ForkContextCommand,
  ListCheckpointsQuery,
  RestoreContextCommand,
} from './lineage/lineage.messages.js';
export {
  AUDIT_LOG,
  CONFLICT_LOG,
  VIEW_TALLY_EVENTS,
  type AuditLog,
  type AuditRecord,
  type ConflictRecord,
  type FailureLog,
  DATABASE,
  DEFAULT_SETTINGS,
  EVENT_STORE,
  FAILURE_LOG,
  FINGERPRINT_KEY,
  JOB_DATABASE,
  MAY_SUMMARIZE,
  PROJECTION_LAG,
  type ProjectionLag,
  ROOT_KEY_HASH,
  RUN_OPTIONS,
  SESSION_KEY,
  STREAM_OPTIONS,
  type RunOptions,
  WRITER_OPTIONS,
} from './tokens.js';
export {
  type TransformationView,
  FindTransformationQuery,
  ListTransformationsQuery,
  PutTransformationCommand,
} from './transformations/transformations.messages.js';
export { DeriveNowCommand } from './derivations/derive-now.command.js';
export {
  type ExpandedItem,
  type Focus,
  type NotedView,
  type RenderedView,
  type ViewParameters,
  type ViewRequest,
} from './views/view.messages.js';
export { FindViewItemQuery } from './views/view-expansion.js';
export { FindViewQuery } from './views/views.js';
export { type AgentFunction, FunctionAgents } from './runs/function-agents.js';
export { RunTimers } from './runs/run-timers.js';
export { StoreClock } from './runs/store-clock.js';
export {
  AnswerDoubtCommand,
  ClaimWorkCommand,
  DecideApprovalCommand,
  ListApprovalsQuery,
  type ClaimedWork,
  ControlRunCommand,
  FindRunQuery,
  HeartbeatCommand,
  ListRunsQuery,
  ReportWorkCommand,
  type RunControl,
  StartRunCommand,
  type WorkReport,
} from './runs/runs.messages.js';
export { WorkflowStore } from './workflows/workflow-store.js';
export {
  FindWorkflowQuery,
  ListWorkflowsQuery,
  PublishWorkflowCommand,
  type PublishedWorkflow,
  ValidateWorkflowQuery,
  type WholeWorkflowView,
  type WorkflowView,
} from './workflows/workflows.messages.js';
export type { CommandProcessorOptions } from './writing/command-processor.js';
export { ReplaceDocumentCommand } from './writing/replace-document.command.js';
export {
  type WriteAnswer,
  WriteContextCommand,
  type WriteOrigin,
  type WriteRequest,
  type WrittenEvent,
} from './writing/write-context.command.js';
