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

/** Events to be appended after a snapshot, and the context as it will be after them. */
export type Draft = Readonly<{
  head: ContextHead | undefined;
  state: ContextState;
  events: Sequence<DecodedEvent>;
  encoded: Sequence<EventToAppend>;
  bytes: number;
  /** See {@link rewrittenLength}. */
  rewritten: number;
  /** Whether one of the events replaces the whole state. */
  replacesWholeState: boolean;
}>;

/** A draft that is complete. */
export type FinalDraft = Pick<Draft, 'head' | 'state'> &
  Readonly<{ events: readonly DecodedEvent[]; encoded: readonly EventToAppend[] }>;

export function emptyDraft({ head, state }: ContextSnapshot): Draft {
  const [events, encoded] = [Sequence.empty<DecodedEvent>(), Sequence.empty<EventToAppend>()];
  return { head, state, events, encoded, bytes: 0, rewritten: 0, replacesWholeState: false };
}

export function finalDraft({ head, state, events, encoded }: Draft): FinalDraft {
  return { head, state, events: events.toArray(), encoded: encoded.toArray() };
}

/** The error if the events added after `before` exceed one append; undefined if they fit. */
export function findExcess(before: Draft, draft: Draft): AppendTooLargeError | undefined {
  const bytes = draft.bytes - before.bytes;
  if (bytes > maxAppendBytes) return new AppendTooLargeError(bytes);
  const rewritten = draft.rewritten - before.rewritten;
  if (rewritten <= maxRewrittenLength) return undefined;
  return new RewriteTooLargeError('the changed values take', rewritten, maxRewrittenLength);
}

/** The fields of a new event other than its payload, visibility and time. */
type DraftFacts = Readonly<{ eventId: string }> &
  Omit<EnvelopeFacts, 'schemaVersion' | 'recordedAt' | 'visibility' | 'encrypted'>;

/** Replaces the hashes of a draft that is discarded; it has the same length, so that sizes are the same. */
export const placeholderHash: Sha256 = () => noHash;

const noHash = '0'.repeat(64);

/**
 * Seals one event and adds it to the draft. `now` is in milliseconds; the event gets the time of the stream if that is
 * later. `hashOf` is SHA-256 unless the draft is discarded.
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

/** The author of an event: the writer, unless the event names another one. */
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

/** A drafted event has no position; no fold uses it. */
const notYet = '' as Position;

/** From this many UTF-16 units on, encoding, parsing and sealing a payload take milliseconds each. */
const longPayload = 65_536;

/** Returns the exact text that is hashed and stored. */
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
