import { agentNameFault } from './agent-name.js';
import { isRfc3339 } from './claimed-time.js';
import { type ClaimedOrigin, type DocumentPlace, type ReadingNote } from './document-format.js';

/** Seconds and milliseconds since 1970, for the years 2001 to 2286. */
const [firstSecond, firstMillisecond, end] = [1e9, 1e12, 1e13];

const maxNames = 1_000;

/** The author and the time of an entry. */
type Claim = Readonly<{
  author?: string | undefined;
  timestamp?: string | number | undefined;
  place: DocumentPlace;
}>;

/** Converts claims to origins. Adds a note for each unusable name and for times without a usable format, each once. */
export class OriginReader {
  readonly notes: ReadingNote[] = [];
  readonly #noted = new Set<string>();
  /** A run has few agents and many messages, and checking a name takes longer than reading a message. */
  readonly #usable = new Map<string, boolean>();

  originOf({ author, timestamp, place }: Claim): ClaimedOrigin | undefined {
    const origin = {
      ...this.#agent(author, place),
      ...this.#time(timestamp, place),
    };
    return Object.keys(origin).length === 0 ? undefined : origin;
  }

  #agent(author: string | undefined, place: DocumentPlace): ClaimedOrigin {
    if (author === undefined) return {};
    if (this.#isUsable(author)) return { agentId: author };
    const quoted = JSON.stringify(author.length <= 80 ? author : `${author.slice(0, 80)}…`);
    this.#note(author, place, `${quoted} cannot be the name of an agent: it stays text`);
    return {};
  }

  #isUsable(name: string): boolean {
    const known = this.#usable.get(name) ?? agentNameFault(name) === undefined;
    if (this.#usable.size < maxNames) this.#usable.set(name, known);
    return known;
  }

  #time(timestamp: string | number | undefined, place: DocumentPlace): ClaimedOrigin {
    if (timestamp === undefined) return {};
    const read = readTime(timestamp);
    if (read !== undefined) return { timestamp: read };
    const fault = 'times without a zone, or not in the format of RFC 3339, stay text';
    this.#note('', place, fault);
    return {};
  }

  #note(what: string, place: DocumentPlace, detail: string): void {
    if (this.#noted.has(what) || this.#noted.size === maxNames) return;
    this.#noted.add(what);
    this.notes.push({ ...place, kind: 'text', detail });
  }
}

function readTime(timestamp: string | number): string | undefined {
  if (typeof timestamp === 'string') return isRfc3339(timestamp) ? timestamp : undefined;
  if (timestamp < firstSecond || timestamp >= end) return undefined;
  const milliseconds = timestamp >= firstMillisecond ? timestamp : timestamp * 1000;
  // Values between both ranges would be seconds in unlikely years.
  return milliseconds < end ? new Date(milliseconds).toISOString() : undefined;
}
