import { v5 } from 'uuid';

import {
  type Envelope,
  type EventToAppend,
  type EventToSeal,
  findAppendIndex,
  withAppendIndex,
  sealEvent,
  trustLevels,
} from '#event-sourcing';
import { sha256 } from '#read-models';
import { type ContextId } from '#shared-context';

import { type ImportedEvent } from './read-import.js';

/** Namespace of event ids made for imported events. Never changes: an import repeated must find its events again. */
const eventIdNamespace = 'b2f1c7de-53d0-5a53-8f6a-0d1f3d6b7a55';

/** What an event becomes in another context: the same for every repetition of the import. */
export function eventIdIn(id: ContextId, { event }: ImportedEvent): string {
  const made = v5(
    JSON.stringify([id.workspace, id.contextId, event.workspace, event.contextId, event.eventId]),
    eventIdNamespace,
  );
  // What was one write there is one here.
  const place = findAppendIndex(event.eventId);
  if (!place) return made;
  const { index, following } = place;
  return withAppendIndex(made, { index, count: index + 1 + following });
}

/** What the importer states of an event; whose work it is, and of when, its origin keeps. */
export type Resealing = Readonly<{
  eventId: string;
  facts: Pick<Envelope, 'principal' | 'recordedAt' | 'trust'>;
  previousHash: string | null;
}>;

/** Closes an event of a file into a chain of this store, its payload byte for byte. */
export function reseal(
  { event, envelope }: ImportedEvent,
  id: ContextId,
  { eventId, facts, previousHash }: Resealing,
): EventToAppend & { hash: string } {
  const { agentId, timestamp } = envelope.origin ?? { agentId: null, timestamp: null };
  const sealed: EventToSeal = {
    eventId,
    type: event.type,
    data: event.data,
    facts: {
      ...envelope,
      ...facts,
      idempotency: null,
      origin: {
        agentId: agentId ?? envelope.principal,
        timestamp: timestamp ?? envelope.recordedAt,
      },
    },
  };
  const place = { workspace: id.workspace, context: id.contextId, version: event.version };
  return sealEvent(sealed, place, previousHash, sha256);
}

/** Whether an event was sealed again by an import: its author and time are what the importer says of them. */
export function isResealed({ origin }: Pick<Envelope, 'origin'>): boolean {
  return typeof origin?.timestamp === 'string';
}

/** The one that is trusted less. */
export function lowerTrust(one: Envelope['trust'], other: Envelope['trust']): Envelope['trust'] {
  return trustLevels.indexOf(one) > trustLevels.indexOf(other) ? one : other;
}
