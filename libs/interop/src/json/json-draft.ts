import { inputRuleFaults, maxAppendBytes, utf8Length } from '#event-sourcing';
import {
  type ClientEvent,
  type SourcePiece,
  clientEvent,
  clientPayloads,
  contextRegistry,
} from '#shared-context';

import { agentNameFault } from '../documents/agent-name.js';
import {
  type ClaimedOrigin,
  type PlannedEvent,
  type ReadDocument,
  type ReadingNote,
  type StatedBaseline,
} from '../documents/document-format.js';
import { isRfc3339 } from '../documents/claimed-time.js';
import { type JsonPart } from './json-part.js';
import { type JsonText } from './json-text.js';

/** An event with its payload as it is in the document, before validation. */
type DraftedEvent = Readonly<{
  item: string;
  type: ClientEvent['type'] | 'BaselineImported';
  data: object;
  origin?: ClaimedOrigin | undefined;
  /** Sorts the events; events with the same numbers stay in the order in which they were added. */
  order?: readonly [stage: number, time: number] | undefined;
}>;

/** A context with more items than this is unusable; later items stay text. */
const maxEvents = 50_000;
const maxNotes = 10_000;

/** An append has room for one event of this size with its metadata. */
const maxEventBytes = maxAppendBytes - 65_536;

type ClaimedRange = Readonly<{ start: number; end: number; items: readonly string[] }>;

/** Collects the events, notes and pieces of a JSON document while it is read. */
export class JsonDraft {
  readonly #notes: ReadingNote[] = [];
  #omittedNotes = 0;
  #planned = 0;
  readonly #source: JsonText;
  readonly #claims: ClaimedRange[] = [];
  readonly #events: Readonly<{ order: readonly [number, number]; planned: PlannedEvent }>[] = [];

  constructor(source: JsonText) {
    this.#source = source;
    for (const place of source.inexact)
      this.#add({
        ...place,
        kind: 'changed',
        detail: 'no double represents this number exactly: it is exact only in the text',
      });
    if (source.firstComment !== undefined)
      this.#add({
        ...source.placeAt(source.firstComment),
        kind: 'text',
        detail: 'comments stay in the text only',
      });
  }

  /** In the order of reading; the last one counts omitted notes, if there are too many. */
  get notes(): readonly ReadingNote[] {
    if (this.#omittedNotes === 0) return this.#notes;
    const detail = `${this.#omittedNotes} more notes are omitted`;
    return [...this.#notes, { ...this.#source.placeAt(0), kind: 'text', detail }];
  }

  note(part: JsonPart, kind: ReadingNote['kind'], detail: string): void {
    if (this.#notes.length < maxNotes) this.#add({ ...part.place, kind, detail });
    else this.#omittedNotes++;
  }

  #add(note: ReadingNote): void {
    if (this.#notes.length < maxNotes) this.#notes.push(note);
    else this.#omittedNotes++;
  }

  /** Adds an event if it is valid; otherwise notes why its part stays text. Returns whether it was added. */
  plan(part: JsonPart, { item, type, data, origin, order = [0, 0] }: DraftedEvent): boolean {
    const fault = this.#faultOf(type, data);
    if (fault !== undefined) {
      this.note(part, 'text', fault);
      return false;
    }
    // The schema of the type has just accepted the payload.
    const event = { type, data } as ClientEvent | StatedBaseline;
    const claimed = hasOrigin(origin) ? origin : undefined;
    this.#events.push({ order, planned: { item, event, origin: claimed, place: part.place } });
    return true;
  }

  /** Refused events count too, because describing their faults takes longest. */
  #faultOf(type: DraftedEvent['type'], data: object): string | undefined {
    if (++this.#planned > maxEvents)
      return `is after the first ${maxEvents} items: only these become events`;
    const fault = faultOf(type, data);
    return fault === undefined ? undefined : `${type} does not accept it: ${fault}`;
  }

  /** In the order in which they are written. */
  events(): readonly PlannedEvent[] {
    return this.#events
      .toSorted(
        ({ order: [stage, time] }, { order: [otherStage, otherTime] }) =>
          stage - otherStage || time - otherTime,
      )
      .map(({ planned }) => planned);
  }

  /** Assigns a part of the text to the items that it became. Parts must not overlap. */
  claim({ start, end }: JsonPart, items: readonly string[]): void {
    if (items.length > 0) this.#claims.push({ start, end, items });
  }

  /** The agent named by a text; undefined, with a note, if no agent can have this name. */
  agent(part: JsonPart): string | undefined {
    const name = part.value();
    return typeof name === 'string' && name !== '' ? this.agentNamed(part, name) : undefined;
  }

  /** As {@link agent}, for a name in another place. */
  agentNamed(part: JsonPart, name: string): string | undefined {
    const fault = agentNameFault(name);
    if (fault === undefined) return name;
    this.note(part, 'text', `no agent can have this name: it ${fault}`);
    return undefined;
  }

  /** A time in the format of RFC 3339; undefined, with a note, if the text is not one. */
  time(part: JsonPart): string | undefined {
    const time = part.value();
    if (typeof time !== 'string' || time === '') return undefined;
    if (isRfc3339(time)) return time;
    this.note(
      part,
      'text',
      'expected a time in the format of RFC 3339, such as 2026-01-31T12:00:00Z',
    );
    return undefined;
  }

  /** The whole text in pieces. */
  document(): ReadDocument {
    const { name, text } = this.#source;
    const pieces: SourcePiece[] = [];
    let at = 0;
    for (const { start, end, items } of this.#claims.toSorted(
      (one, two) => one.start - two.start,
    )) {
      if (start > at) pieces.push({ text: text.slice(at, start), items: [] });
      pieces.push({ text: text.slice(start, end), items });
      at = end;
    }
    if (at < text.length) pieces.push({ text: text.slice(at), items: [] });
    return { name, pieces };
  }
}

function faultOf(type: DraftedEvent['type'], data: object): string | undefined {
  if (utf8Length(JSON.stringify(data)) > maxEventBytes)
    return `it has more than ${maxEventBytes} bytes`;
  if (type === 'BaselineImported') return baselineFault(data);
  const { error } = clientEvent.safeParse({ type, data });
  const [issue] = error?.issues ?? [];
  if (issue) return `${issue.path.slice(1).join('/')} ${issue.message}`;
  const [fault] = inputRuleFaults(clientPayloads[type], data).faults;
  return fault && `${fault.path.join('/')} ${fault.detail}`;
}

function baselineFault(data: object): string | undefined {
  try {
    contextRegistry.decode({ type: 'BaselineImported', schemaVersion: 1, data });
    return undefined;
  } catch {
    return 'its numbers are out of range';
  }
}

function hasOrigin(origin: ClaimedOrigin | undefined): origin is ClaimedOrigin {
  return origin?.agentId !== undefined || origin?.timestamp !== undefined;
}
