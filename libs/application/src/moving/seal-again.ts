import { v5 } from 'uuid';

import { type EventToAppend, type EventToSeal, sealEvent } from '#event-sourcing';
import { type ContextId } from '#read-models';

import { sha256 } from '../writing/draft.js';
import { type ImportedEvent } from './read-import.js';

/** Namespace of event ids made for imported events. Never changes: an import repeated must find its events again. */
const eventIdNamespace = 'b2f1c7de-53d0-5a53-8f6a-0d1f3d6b7a55';

/** What an event becomes in another context: the same for every repetition of the import. */
export function eventIdIn(id: ContextId, { event }: ImportedEvent): string {
  return v5(
    JSON.stringify([id.workspace, id.contextId, event.workspace, event.contextId, event.eventId]),
    eventIdNamespace,
  );
}

/** Whoever imports answers for the event here; whose work it is, and of when, its origin keeps. */
export type Importer = Readonly<{ principal: string; recordedAt: string }>;

/** Closes an event of another context into the chain of this one, its payload byte for byte. */
export function sealAgain(
  imported: ImportedEvent,
  id: ContextId,
  { principal, recordedAt }: Importer,
  previousHash: string | null,
): EventToAppend & { hash: string } {
  const { event, envelope } = imported;
  const { agentId, timestamp } = envelope.origin ?? { agentId: null, timestamp: null };
  const sealed: EventToSeal = {
    eventId: eventIdIn(id, imported),
    type: event.type,
    data: event.data,
    facts: {
      ...envelope,
      ...{ principal, recordedAt, idempotency: null },
      origin: {
        agentId: agentId ?? envelope.principal,
        timestamp: timestamp ?? envelope.recordedAt,
      },
    },
  };
  const place = { workspace: id.workspace, context: id.contextId, version: event.version };
  return sealEvent(sealed, place, previousHash, sha256);
}
