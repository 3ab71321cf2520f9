import { type EventData, type RecordedEvent, binaryEvent, jsonEvent } from '@eventstore/db-client';

import { type EventToAppend, type StoredEvent, StoreUnavailableError } from '#event-sourcing';

import { type Namespace } from './namespace.js';
import { asPosition } from './position.js';

/** Begins metadata kept as bytes: no JSON text does, so the client gives it back as it is. */
const rawMark = 0;

const noPosition = 2n ** 63n;

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const encoder = new TextEncoder();

/** An event that this store has not written, or that is told without its position; another try finds it again. */
export class UnusableEventError extends StoreUnavailableError {}

/**
 * How an event is stored. The client parses JSON on its way out and back, which keeps a text only where it is what
 * JSON.stringify makes of it; as it is for every event of ours, which KurrentDB's own tools can then read. Any other
 * text is stored as bytes. Both ways it comes back byte for byte.
 */
export function toStoredForm({ eventId: id, type, data, metadata }: EventToAppend): EventData {
  const stored = { id, type, metadata: metadataOf(metadata) };
  const parsed = parseCanonical(data);
  // What is given back by JSON.parse is JSON.
  if (parsed) return jsonEvent({ ...stored, data: parsed as Record<string, string> });
  return binaryEvent({ ...stored, data: encoder.encode(data) });
}

/** Undefined where the event is none of this store. */
export function fromStoredForm(event: RecordedEvent, names: Namespace): StoredEvent | undefined {
  const stream = names.fromServer(event.streamId);
  if (stream === undefined) return undefined;
  // The client makes the highest number of one that the server has left out.
  if (!event.position || event.position.commit >= noPosition)
    throw new UnusableEventError(
      'KurrentDB gives no positions on reads of a stream: use EventStoreDB 24.2 or newer',
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
      'KurrentDB holds bytes that are no text in the place of an event: something else wrote to the streams of the namespace',
      { cause },
    );
  }
}

/** The object or array that JSON.stringify makes exactly this text of. */
function parseCanonical(text: string): object | undefined {
  if (!text.startsWith('{') && !text.startsWith('[')) return undefined;
  try {
    const parsed: unknown = JSON.parse(text);
    const isSame = JSON.stringify(parsed) === text;
    return isSame && typeof parsed === 'object' && parsed !== null ? parsed : undefined;
  } catch {
    // No JSON, or nested too deeply to be written again.
    return undefined;
  }
}
