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

/** Namespace of the ids of copied events. It must never change, or a repeated import would not find its events. */
const eventIdNamespace = 'b2f1c7de-53d0-5a53-8f6a-0d1f3d6b7a55';

/** The id of a copy of an event in another context; the same for every repetition of the import. */
export function eventIdIn(id: ContextId, { event }: ImportedEvent): string {
  const copyId = v5(
    JSON.stringify([id.workspace, id.contextId, event.workspace, event.contextId, event.eventId]),
    eventIdNamespace,
  );
  // The copies of the events of one append form one append as well.
  const place = findAppendIndex(event.eventId);
  if (!place) return copyId;
  const { index, following } = place;
  return withAppendIndex(copyId, { index, count: index + 1 + following });
}

/** The fields that the importer sets. The origin keeps the original author and time. */
export type Resealing = Readonly<{
  eventId: string;
  facts: Pick<Envelope, 'principal' | 'recordedAt' | 'trust'>;
  previousHash: string | null;
}>;

/** Seals an event of a file again, with a hash chain of this store and an unchanged payload. */
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

/** Whether an event was sealed again by an import: the import stores the time of the original event in its origin. */
export function isResealed({ origin }: Pick<Envelope, 'origin'>): boolean {
  return typeof origin?.timestamp === 'string';
}

/** The lower of two trust levels. */
export function lowerTrust(one: Envelope['trust'], other: Envelope['trust']): Envelope['trust'] {
  return trustLevels.indexOf(one) > trustLevels.indexOf(other) ? one : other;
}
