import { agentNameFault } from './agent-name.js';
import { isRfc3339 } from './claimed-time.js';
import { type ClaimedOrigin, type DocumentPlace, type ReadingNote } from './document-format.js';

/** Seconds and milliseconds since 1970, of the years 2001 to 2286. */
const [firstSecond, firstMillisecond, behindLast] = [1e9, 1e12, 1e13];

const maxNames = 1_000;

/** What an entry says of who did it and when. */
type Claim = Readonly<{
  author?: string | undefined;
  timestamp?: string | number | undefined;
  place: DocumentPlace;
}>;

/** Turns claims into origins. Notes what cannot be one, each name and each form of time once. */
export class OriginReader {
  readonly notes: ReadingNote[] = [];
  readonly #refused = new Set<string>();
  /** A run has few agents and many messages, and to check a name takes longer than to read a message. */
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
    this.#note(author, place, `${quoted} cannot be the name of an agent: it stays in the text`);
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
    const fault = 'times without a zone, or in no form of RFC 3339, stay in the text';
    this.#note('', place, fault);
    return {};
  }

  #note(what: string, place: DocumentPlace, detail: string): void {
    if (this.#refused.has(what) || this.#refused.size === maxNames) return;
    this.#refused.add(what);
    this.notes.push({ ...place, kind: 'text', detail });
  }
}

function readTime(timestamp: string | number): string | undefined {
  if (typeof timestamp === 'string') return isRfc3339(timestamp) ? timestamp : undefined;
  if (timestamp < firstSecond || timestamp >= behindLast) return undefined;
  const milliseconds = timestamp >= firstMillisecond ? timestamp : timestamp * 1000;
  // Between both are seconds of years that nobody meant.
  return milliseconds < behindLast ? new Date(milliseconds).toISOString() : undefined;
}
