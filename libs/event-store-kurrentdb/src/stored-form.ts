import { type EventData, type RecordedEvent, binaryEvent, jsonEvent } from '@eventstore/db-client';

import { type EventToAppend, type StoredEvent, StoreUnavailableError } from '#event-sourcing';

import { type Namespace } from './namespace.js';
import { asPosition } from './position.js';

/**
 * The first byte of metadata that is stored as bytes: no JSON text begins with it, so that the client returns it
 * unchanged.
 */
const rawMark = 0;

const noPosition = 2n ** 63n;

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const encoder = new TextEncoder();

/** An event that another program wrote, or that has no position; a retry would find it again. */
export class UnusableEventError extends StoreUnavailableError {}

/**
 * The stored form of an event. The client parses and serializes JSON, which preserves a text only if it equals the
 * output of JSON.stringify. That is so for every event of Throughline, and KurrentDB's own tools can read these. Any
 * other text is stored as bytes. Both forms preserve the text byte for byte.
 */
export function toStoredForm({ eventId: id, type, data, metadata }: EventToAppend): EventData {
  const stored = { id, type, metadata: metadataOf(metadata) };
  const parsed = parseCanonical(data);
  // The result of JSON.parse is JSON.
  if (parsed) return jsonEvent({ ...stored, data: parsed as Record<string, string> });
  return binaryEvent({ ...stored, data: encoder.encode(data) });
}

/** Undefined if the event does not belong to this store. */
export function fromStoredForm(event: RecordedEvent, names: Namespace): StoredEvent | undefined {
  const stream = names.fromServer(event.streamId);
  if (stream === undefined) return undefined;
  // The client converts a missing position to the highest number.
  if (!event.position || event.position.commit >= noPosition)
    throw new UnusableEventError(
      'KurrentDB returns no positions on reads of a stream: use EventStoreDB 24.2 or newer',
    );
  return {
    eventId: event.id,
    type: event.type,
    data: event.isJson ? JSON.stringify(event.data) : decode(event.data),
    metadata: textOf(event.metadata),
    stream,
    version: Number(event.revision) + 1,
    position: asPosition(event.position),
  };
}

function metadataOf(text: string): object {
  const parsed = parseCanonical(text);
  if (parsed && !Array.isArray(parsed)) return parsed;
  const encoded = encoder.encode(text);
  const raw = new Uint8Array(encoded.length + 1);
  raw[0] = rawMark;
  raw.set(encoded, 1);
  return raw;
}

function textOf(metadata: unknown): string {
  if (!(metadata instanceof Uint8Array)) return JSON.stringify(metadata ?? null);
  return decode(metadata[0] === rawMark ? metadata.subarray(1) : metadata);
}

function decode(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch (cause) {
    throw new UnusableEventError(
      'KurrentDB holds an event whose bytes are not text: another program wrote to the streams of the namespace',
      { cause },
    );
  }
}

/** The object or array whose JSON.stringify output equals the text. */
function parseCanonical(text: string): object | undefined {
  if (!text.startsWith('{') && !text.startsWith('[')) return undefined;
  try {
    const parsed: unknown = JSON.parse(text);
    const isSame = JSON.stringify(parsed) === text;
    return isSame && typeof parsed === 'object' && parsed !== null ? parsed : undefined;
  } catch {
    // Not JSON, or nested too deeply to be serialized.
    return undefined;
  }
}
