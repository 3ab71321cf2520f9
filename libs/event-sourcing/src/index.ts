export { checkAppend, checkLimit, maxTypeLength, refuseCounter } from './append-check.js';
export { type AppendIndex, findAppendIndex, withAppendIndex } from './append-index.js';
export { parseBounded } from './bounded-parse.js';
export { dataPathIn, formatDataPath, longestDataPath, readDataPath } from './data-path.js';
export type { Decider } from './decider.js';
export { describeIssues } from './describe-issues.js';
export { DomainError, isDomainError } from './domain-error.js';
export {
  type Envelope,
  type EnvelopeFacts,
  type EventToSeal,
  type Sha256,
  openEnvelope,
  sealEvent,
  trustLevels,
  visibilities,
} from './envelope.js';
export {
  type EventOf,
  EventRegistry,
  UndecodableEventError,
  defineEvent,
  upcast,
} from './event-definition.js';
export { knownMembers, nearestMember } from './known-members.js';
export {
  type AppendOptions,
  type AppendResult,
  type CallOptions,
  CounterChangedError,
  type CounterValue,
  type EventStore,
  type EventToAppend,
  type ExpectedVersion,
  type Position,
  type ReadAll,
  type ReadStream,
  type StoredEvent,
  type SubscribeAll,
  AppendTooLargeError,
  EventStoreError,
  InvalidAppendError,
  OutcomeUnknownError,
  StorageFullError,
  StoreUnavailableError,
  VersionConflictError,
  encodedSize,
  utf8Length,
  maxAppendBytes,
  maxReadBytes,
} from './event-store.js';
export { type ChainBreak, type ChainEnd, type ChainedEvent, checkChain } from './hash-chain.js';
export { InMemoryEventStore } from './in-memory-event-store.js';
export {
  type InputRule,
  inputRuleFaults,
  isVisible,
  visibleText,
  withInputRule,
} from './input-rules.js';
export { inWords } from './issue-wording.js';
export { isExactNumber } from './exact-number.js';
export {
  type JsonObject,
  type JsonValue,
  copyJson,
  isJsonArray,
  isJsonObject,
  parseJson,
  parseJsonArray,
  parseJsonObject,
  parseJsonString,
} from './json.js';
