import { createHash } from 'node:crypto';

import {
  type EnvelopeFacts,
  type EventToAppend,
  type Position,
  encodedSize,
  openEnvelope,
  sealEvent,
} from '#event-sourcing';
import {
  type ContextHead,
  type ContextId,
  type ContextSnapshot,
  type DecodedEvent,
  advanceHead,
  contextStream,
  recordedEvent,
} from '#read-models';
import {
  type ContextState,
  type NewContextEvent,
  contextRegistry,
  isSweeping,
} from '#shared-context';

import { Sequence } from './sequence.js';

/** Events about to be appended behind a snapshot, and the context as they will leave it. */
export type Draft = Readonly<{
  head: ContextHead | undefined;
  state: ContextState;
  events: Sequence<DecodedEvent>;
  encoded: Sequence<EventToAppend>;
  bytes: number;
  /** Whether one of the events changes what there is as a whole. */
  isSweeping: boolean;
}>;

/** A draft that nothing is added to any more. */
export type FinalDraft = Pick<Draft, 'head' | 'state'> &
  Readonly<{ events: readonly DecodedEvent[]; encoded: readonly EventToAppend[] }>;

export function emptyDraft({ head, state }: ContextSnapshot): Draft {
  const [events, encoded] = [Sequence.empty<DecodedEvent>(), Sequence.empty<EventToAppend>()];
  return { head, state, events, encoded, bytes: 0, isSweeping: false };
}

export function finalDraft({ head, state, events, encoded }: Draft): FinalDraft {
  return { head, state, events: events.toArray(), encoded: encoded.toArray() };
}

/** What a new event carries beside its payload, visibility and time. */
export type DraftFacts = Readonly<{ eventId: string }> &
  Omit<EnvelopeFacts, 'schemaVersion' | 'recordedAt' | 'visibility' | 'encrypted'>;

/** Seals one event behind the draft; `now` in milliseconds is moved on if the stream is already later. */
export function extendDraft(
  draft: Draft,
  id: ContextId,
  event: NewContextEvent,
  facts: DraftFacts & { now: number },
): Draft {
  const { eventId, now, ...rest } = facts;
  const { origin = rest.origin, trust = rest.trust } = event;
  const version = (draft.head?.version ?? 0) + 1;
  const { schemaVersion, data } = encodePayload(event);
  const sealed = sealEvent(
    {
      eventId,
      type: event.type,
      data,
      facts: {
        ...rest,
        ...{ origin, trust },
        schemaVersion,
        recordedAt: recordingTime(draft.head, now),
        visibility: event.visibility,
        encrypted: null,
      },
    },
    { workspace: id.workspace, context: id.contextId, version },
    draft.head?.hash ?? null,
    sha256,
  );
  const encoded = { eventId, type: event.type, data, metadata: sealed.metadata };
  const place = { stream: contextStream(id), eventId, version, data, position: notYet };
  const recorded = recordedEvent(event, place, openEnvelope(encoded.metadata));
  return {
    head: advanceHead(id, draft.head, recorded, draft.state.lookup),
    state: draft.state.apply(recorded),
    events: draft.events.with(recorded),
    encoded: draft.encoded.with(encoded),
    bytes: draft.bytes + encodedSize(encoded),
    isSweeping: draft.isSweeping || isSweeping(recorded),
  };
}

/** A drafted event has no position; nothing that folds looks at one. */
const notYet = '' as Position;

/** Encodes the payload once; these are the bytes that are hashed and kept. */
function encodePayload(event: NewContextEvent): { schemaVersion: number; data: string } {
  const schemaVersion = contextRegistry.find(event.type)?.version ?? 1;
  const data = JSON.stringify(event.data);
  contextRegistry.decode({ type: event.type, schemaVersion, data: event.data });
  return { schemaVersion, data };
}

function recordingTime(head: ContextHead | undefined, now: number): string {
  const time = new Date(now).toISOString();
  return head && head.modifiedAt > time ? head.modifiedAt : time;
}

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
