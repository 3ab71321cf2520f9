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

/** An event with its payload as the document has it, before anybody has checked it. */
type DraftedEvent = Readonly<{
  item: string;
  type: ClientEvent['type'] | 'BaselineImported';
  data: object;
  origin?: ClaimedOrigin | undefined;
  /** Events are in the order of these numbers; those with the same numbers are as they were added. */
  order?: readonly [stage: number, time: number] | undefined;
}>;

/** More items than this make a context that nobody can work with; what is behind them stays text. */
const maxEvents = 50_000;
const maxNotes = 10_000;

/** An append has room for one such event with its metadata. */
const largest = maxAppendBytes - 65_536;

type Claim = Readonly<{ start: number; end: number; items: readonly string[] }>;

/** What a document of JSON becomes, collected while it is read. */
export class JsonDraft {
  readonly #notes: ReadingNote[] = [];
  #omittedNotes = 0;
  #planned = 0;
  readonly #source: JsonText;
  readonly #claims: Claim[] = [];
  readonly #events: Readonly<{ order: readonly [number, number]; planned: PlannedEvent }>[] = [];

  constructor(source: JsonText) {
    this.#source = source;
    for (const place of source.inexact)
      this.#add({
        ...place,
        kind: 'changed',
        detail: 'no double holds this number exactly: only the text does',
      });
    if (source.firstComment !== undefined)
      this.#add({
        ...source.placeAt(source.firstComment),
        kind: 'text',
        detail: 'comments stay in the text only',
      });
  }

  /** In the order of their reading; one says how many were omitted, if there are very many. */
  get notes(): readonly ReadingNote[] {
    if (this.#omittedNotes === 0) return this.#notes;
    const detail = `${this.#omittedNotes} notes more are omitted`;
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

  /** Adds an event if it may be written; otherwise notes why it stays text. Returns whether it was added. */
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

  /** Refused events count, too, because it takes longest to say what is wrong with them. */
  #faultOf(type: DraftedEvent['type'], data: object): string | undefined {
    if (++this.#planned > maxEvents)
      return `stands behind ${maxEvents} items, and no more are planned`;
    const fault = faultOf(type, data);
    return fault === undefined ? undefined : `${type} does not take it: ${fault}`;
  }

  /** In the order in which they are to be written. */
  events(): readonly PlannedEvent[] {
    return this.#events
      .toSorted(
        ({ order: [stage, time] }, { order: [otherStage, otherTime] }) =>
          stage - otherStage || time - otherTime,
      )
      .map(({ planned }) => planned);
  }

  /** Says that a part of the text became these items. Parts must not overlap. */
  claim({ start, end }: JsonPart, items: readonly string[]): void {
    if (items.length > 0) this.#claims.push({ start, end, items });
  }

  /** The agent that a text names; undefined, with a note, if no agent may have this name. */
  agent(part: JsonPart): string | undefined {
    const name = part.value();
    return typeof name === 'string' && name !== '' ? this.agentNamed(part, name) : undefined;
  }

  /** The same for a name that stands elsewhere. */
  agentNamed(part: JsonPart, name: string): string | undefined {
    const fault = agentNameFault(name);
    if (fault === undefined) return name;
    this.note(part, 'text', `no agent is named so: the name ${fault}`);
    return undefined;
  }

  /** A time of RFC 3339; undefined, with a note, if it is none. */
  time(part: JsonPart): string | undefined {
    const time = part.value();
    if (typeof time !== 'string' || time === '') return undefined;
    if (isRfc3339(time)) return time;
    this.note(part, 'text', 'not a time as RFC 3339 writes it, such as 2026-01-31T12:00:00Z');
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
  if (utf8Length(JSON.stringify(data)) > largest) return `it has more than ${largest} bytes`;
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
    return 'its figures are out of range';
  }
}

function hasOrigin(origin: ClaimedOrigin | undefined): origin is ClaimedOrigin {
  return origin?.agentId !== undefined || origin?.timestamp !== undefined;
}
