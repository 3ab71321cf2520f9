import {
  AppendTooLargeError,
  type EnvelopeFacts,
  type EventToAppend,
  type Position,
  type Sha256,
  encodedSize,
  maxAppendBytes,
  openEnvelope,
  sealEvent,
} from '#event-sourcing';
import { type ContextSnapshot, sha256 } from '#read-models';
import {
  type ContextHead,
  type ContextId,
  type ContextState,
  type DecodedEvent,
  type NewContextEvent,
  advanceHead,
  contextRegistry,
  contextStream,
  foldEventInSteps,
  replacesWholeState,
  recordedEvent,
} from '#shared-context';
import { type Steps } from '#slices';

import { maxRewrittenLength, RewriteTooLargeError, rewrittenLength } from './rewritten-items.js';
import { Sequence } from './sequence.js';

/** Events about to be appended behind a snapshot, and the context as they will leave it. */
export type Draft = Readonly<{
  head: ContextHead | undefined;
  state: ContextState;
  events: Sequence<DecodedEvent>;
  encoded: Sequence<EventToAppend>;
  bytes: number;
  /** See {@link rewrittenLength}. */
  rewritten: number;
  /** Whether one of the events changes what there is as a whole. */
  replacesWholeState: boolean;
}>;

/** A draft that nothing is added to any more. */
export type FinalDraft = Pick<Draft, 'head' | 'state'> &
  Readonly<{ events: readonly DecodedEvent[]; encoded: readonly EventToAppend[] }>;

export function emptyDraft({ head, state }: ContextSnapshot): Draft {
  const [events, encoded] = [Sequence.empty<DecodedEvent>(), Sequence.empty<EventToAppend>()];
  return { head, state, events, encoded, bytes: 0, rewritten: 0, replacesWholeState: false };
}

export function finalDraft({ head, state, events, encoded }: Draft): FinalDraft {
  return { head, state, events: events.toArray(), encoded: encoded.toArray() };
}

/** What one append cannot hold of what was added behind `before`; undefined if it holds all of it. */
export function findExcess(before: Draft, draft: Draft): AppendTooLargeError | undefined {
  const bytes = draft.bytes - before.bytes;
  if (bytes > maxAppendBytes) return new AppendTooLargeError(bytes);
  const rewritten = draft.rewritten - before.rewritten;
  if (rewritten <= maxRewrittenLength) return undefined;
  return new RewriteTooLargeError(
    'the values that are changed come',
    rewritten,
    maxRewrittenLength,
  );
}

/** What a new event carries beside its payload, visibility and time. */
type DraftFacts = Readonly<{ eventId: string }> &
  Omit<EnvelopeFacts, 'schemaVersion' | 'recordedAt' | 'visibility' | 'encrypted'>;

/** Stands in for the hashes of a draft that is thrown away; as long as they are, so that sizes are the same. */
export const placeholderHash: Sha256 = () => noHash;

const noHash = '0'.repeat(64);

/**
 * Seals one event behind the draft; `now` in milliseconds is moved on if the stream is already later. `hashOf` is SHA-256 unless the
 * draft is thrown away.
 */
export function* extendDraft(
  draft: Draft,
  id: ContextId,
  event: NewContextEvent,
  facts: DraftFacts & { now: number; hashOf?: Sha256 },
): Steps<Draft> {
  const { eventId, now, hashOf = sha256, ...rest } = facts;
  const version = (draft.head?.version ?? 0) + 1;
  const { schemaVersion, data } = yield* encodePayload(event);
  if (data.length > longPayload) yield;
  const written = {
    schemaVersion,
    recordedAt: recordingTime(draft.head, now),
    visibility: event.visibility,
    encrypted: null,
  };
  const { metadata } = sealEvent(
    {
      eventId,
      type: event.type,
      data,
      facts: { ...rest, ...authorshipOf(event, rest), ...written },
    },
    { workspace: id.workspace, context: id.contextId, version },
    draft.head?.hash ?? null,
    hashOf,
  );
  const encoded = { eventId, type: event.type, data, metadata };
  const place = { stream: contextStream(id), eventId, version, data, position: notYet };
  const recorded = recordedEvent(event, place, openEnvelope(encoded.metadata));
  return yield* withEvent(draft, id, recorded, encoded);
}

/** Whose an event is: the writer's, unless it says otherwise itself. */
function authorshipOf(
  event: NewContextEvent,
  { principal, origin, trust }: Pick<DraftFacts, 'principal' | 'origin' | 'trust'>,
) {
  return {
    principal: event.principal ?? principal,
    origin: event.origin === undefined ? origin : event.origin,
    trust: event.trust ?? trust,
  };
}

function* withEvent(
  draft: Draft,
  id: ContextId,
  event: DecodedEvent,
  encoded: EventToAppend,
): Steps<Draft> {
  const { lookup } = draft.state;
  const changes = yield* foldEventInSteps(event, lookup);
  const state = yield* draft.state.applyInSteps(event, changes);
  const rewritten = yield* rewrittenLength(event, draft.state, state);
  return {
    head: advanceHead(id, draft.head, event, { lookup, changes }),
    state,
    events: draft.events.with(event),
    encoded: draft.encoded.with(encoded),
    bytes: draft.bytes + encodedSize(encoded),
    rewritten: draft.rewritten + rewritten,
    replacesWholeState: draft.replacesWholeState || replacesWholeState(event),
  };
}

/** A drafted event has no position; nothing that folds looks at one. */
const notYet = '' as Position;

/** UTF-16 units of a payload that takes milliseconds to encode, to parse and to seal each. */
const longPayload = 65_536;

/** These are the bytes that are hashed and stored. */
function* encodePayload(event: NewContextEvent): Steps<{ schemaVersion: number; data: string }> {
  const schemaVersion = contextRegistry.find(event.type)?.version ?? 1;
  const data = JSON.stringify(event.data);
  if (data.length > longPayload) yield;
  contextRegistry.decode({ type: event.type, schemaVersion, data: event.data });
  return { schemaVersion, data };
}

function recordingTime(head: ContextHead | undefined, now: number): string {
  const time = new Date(now).toISOString();
  return head && head.modifiedAt > time ? head.modifiedAt : time;
}
