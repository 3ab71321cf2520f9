import { type JsonObject, type JsonValue } from '#event-sourcing';
import { type DecodedEvent } from '#shared-context';
import { type VisibilityFilter } from '#visibility';

/**
 * Renders an event for `/events` and `missed`: as stored, with the payload in the current version of its type. With a
 * visibility filter, without hashes, positions and receipts, which would reveal hidden events; without the parts of an
 * answer that repeat a hidden request; and without the parts of a started attempt that reveal the input of its worker.
 */
export function showEvent(event: DecodedEvent, filter?: VisibilityFilter): JsonObject {
  const { position, basedOn, hash, previousHash, ...shown } = wholeEvent(event);
  if (!filter) return { ...shown, position, basedOn, hash, previousHash };
  if (event.type === 'StepAttemptStarted') {
    // Parsed from JSON text.
    const data = Object.entries(event.data as JsonObject).filter(([name]) => !ofWorker.has(name));
    return { ...shown, data: Object.fromEntries(data) };
  }
  if (event.type !== 'InputProvided') return shown;
  const { inputRequestId, value, note } = event.data;
  const content = { ...(value !== undefined && { value }), ...(note !== undefined && { note }) };
  return { ...shown, data: { inputRequestId, ...content } };
}

/** The effect key and the receipt depend on the input of the worker, which others may not see. */
const ofWorker: ReadonlySet<string> = new Set(['tokenHash', 'effectKey', 'receipt']);

function wholeEvent(event: DecodedEvent) {
  const { envelope } = event;
  return {
    eventId: event.eventId,
    type: event.type,
    schemaVersion: envelope.schemaVersion,
    version: event.version,
    position: event.position,
    // Parsed from JSON text, so it is JSON; the domain's types are narrower than that.
    data: event.data as JsonValue,
    recordedAt: envelope.recordedAt,
    principal: envelope.principal,
    origin: envelope.origin,
    correlationId: envelope.correlationId,
    causationId: envelope.causationId,
    basedOn: envelope.basedOn,
    trust: envelope.trust,
    visibility: envelope.visibility,
    hash: envelope.hash,
    previousHash: envelope.previousHash,
  };
}
