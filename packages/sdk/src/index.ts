export { path, type Query, type QueryValue } from './address.js';
export type {
  Api,
  Approval,
  Changes,
  ClaimedWork,
  ClientEvent,
  ContextDocument,
  ContextSummary,
  Decision,
  FeedEvent,
  PrincipalInfo,
  Page,
  Prompt,
  Run,
  StepOutput,
  StoredEvent,
  TailEvent,
  View,
  ViewItem,
  WorkEnvelope,
  WriteResult,
} from './api.js';
export type { AttemptResult, WorkHandler } from './attempt.js';
export type { AppendOptions, Context, ViewQuery } from './context.js';
export type { ReadOptions } from './endpoints.js';
export {
  ConnectionError,
  DecisionTopicTakenError,
  IdempotencyKeyReusedError,
  isThroughlineError,
  OutcomeUnknownError,
  type Problem,
  StaleAttemptError,
  ThroughlineError,
  ValidationError,
  VersionConflictError,
  WriteAbortedError,
} from './errors.js';
export type { FeedOptions } from './feed.js';
export type { Answer, Fetch, FetchAnswer, FetchRequest } from './http-answer.js';
export type { Method, Parse, RequestOptions, WriteOptions } from './request-options.js';
export type { LiveOptions } from './live-stream.js';
export type {
  Operation,
  OperationAnswer,
  OperationArguments,
  OperationInput,
} from './operations.js';
export type { List } from './pages.js';
export type { WaitOptions } from './runs.js';
export type { SentWrite } from './sent-write.js';
export type { TailOptions } from './tail.js';
export { Throughline, type ThroughlineOptions } from './throughline.js';
export type { UpdateCallback, UpdateFacts, UpdateOptions } from './update.js';
export type { WorkOptions } from './work.js';
export { WorkFailure } from './work-failure.js';
