import {
  type Envelope,
  type Position,
  type StoredEvent,
  UndecodableEventError,
  openEnvelope,
  utf8Length,
} from '#event-sourcing';

import { citedVersion } from '../basis/cited-version.js';
import {
  type ContextEvent,
  type RecordedContextEvent,
  contextRegistry,
} from '../context.events.js';

/**
 * A parsed event of a context: its payload in the current version of its schema, its envelope, version and position.
 */
export type DecodedEvent = RecordedContextEvent &
  Readonly<{ position: Position; envelope: Envelope; tokens: number }>;

/** Throws {@link UndecodableEventError} if this code cannot read the event. */
export function decodeEvent(stored: StoredEvent): DecodedEvent {
  const envelope = readEnvelope(stored);
  const data: unknown = JSON.parse(stored.data);
  const event = contextRegistry.decode({
    type: stored.type,
    schemaVersion: envelope.schemaVersion,
    data,
  });
  return recordedEvent(event, stored, envelope);
}

/** An event with its version and position, for folding; it is stored, or about to be. */
export function recordedEvent(
  event: ContextEvent,
  stored: Pick<StoredEvent, 'eventId' | 'stream' | 'version' | 'position' | 'data'>,
  envelope: Envelope,
): DecodedEvent {
  return {
    ...event,
    eventId: stored.eventId,
    version: stored.version,
    position: stored.position,
    recordedAt: envelope.recordedAt,
    principal: envelope.principal,
    origin: envelope.origin,
    trust: envelope.trust,
    visibility: envelope.visibility,
    idempotency: envelope.idempotency,
    basedOnVersion: citedVersion(envelope.basedOn, stored.stream),
    bytes: utf8Length(stored.data),
    tokens: Math.ceil(stored.data.length / 4),
    envelope,
  };
}

function readEnvelope(stored: StoredEvent): Envelope {
  try {
    return openEnvelope(stored.metadata);
  } catch (cause) {
    throw new UndecodableEventError(
      `event ${stored.version} of "${stored.stream}" has no readable envelope`,
      {
        cause,
      },
    );
  }
}
