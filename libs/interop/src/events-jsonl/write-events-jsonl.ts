import {
  type ExportFailure,
  type ExportSignature,
  type ExportedEvent,
  eventsJsonl,
  eventsJsonlVersion,
} from './events-jsonl.js';

/** Makes the lines of one file, each with its line feed; contexts follow each other whole, in the order of versions. */
export class EventsJsonlWriter {
  #contexts = 0;
  #events = 0;
  #owner = '';
  #lastHash: string | null = null;

  header(): string {
    return lineOf({ format: eventsJsonl, version: eventsJsonlVersion });
  }

  /** `hash` is the event's own, which its chain was checked by. */
  event(event: ExportedEvent, hash: string): string {
    const owner = `${event.workspace}:${event.contextId}`;
    if (owner !== this.#owner) this.#contexts++;
    this.#owner = owner;
    this.#events++;
    this.#lastHash = hash;
    return eventText(event);
  }

  /** Behind the line of the event that it signs. */
  signature(signature: ExportSignature): string {
    return lineOf({ signature });
  }

  /** The last line of a whole file. */
  trailer(): string {
    const [contexts, events, lastHash] = [this.#contexts, this.#events, this.#lastHash];
    return lineOf({ end: { contexts, events, lastHash } });
  }

  /** The last line of one that could not be finished. */
  failure(failed: ExportFailure): string {
    return lineOf({ failed });
  }
}

/** Writes stored text unchanged, because the hash was computed from it. */
function eventText({ data, metadata, ...event }: ExportedEvent): string {
  const { workspace, contextId, version, eventId, type } = event;
  const place = JSON.stringify({ workspace, contextId, version, eventId, type });
  const envelope = isLine(metadata) ? metadata : JSON.stringify(JSON.parse(metadata));
  const payload = isLine(data) ? `"data":${data}` : `"dataText":${JSON.stringify(data)}`;
  return `${place.slice(0, -1)},"metadata":${envelope},${payload}}\n`;
}

function isLine(text: string): boolean {
  if (/[\n\r]/.test(text) || text.trim() !== text) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function lineOf(value: object): string {
  return `${JSON.stringify(value)}\n`;
}
