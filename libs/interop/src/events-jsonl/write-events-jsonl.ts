import {
  type ExportFailure,
  type ExportSignature,
  type ExportedEvent,
  eventsJsonl,
  eventsJsonlVersion,
} from './events-jsonl.js';

/**
 * Makes the lines of one file, each with its line feed. All events of a context are consecutive, in the order of
 * versions.
 */
export class EventsJsonlWriter {
  #contexts = 0;
  #events = 0;
  #owner = '';
  #lastHash: string | null = null;

  header(): string {
    return lineOf({ format: eventsJsonl, version: eventsJsonlVersion });
  }

  /** `hash`: the hash of the event itself, with which its chain was checked. */
  event(event: ExportedEvent, hash: string): string {
    const owner = `${event.workspace}:${event.contextId}`;
    if (owner !== this.#owner) this.#contexts++;
    this.#owner = owner;
    this.#events++;
    this.#lastHash = hash;
    return eventText(event);
  }

  /** Must follow the line of the event that it signs. */
  signature(signature: ExportSignature): string {
    return lineOf({ signature });
  }

  /** The last line of a complete file. */
  trailer(): string {
    const [contexts, events, lastHash] = [this.#contexts, this.#events, this.#lastHash];
    return lineOf({ end: { contexts, events, lastHash } });
  }

  /** The last line of a file that could not be completed. */
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
