import { type StoredEvent, type Position, UndecodableEventError } from '#event-sourcing';
import { type ReadEvent, EventsJsonlError, EventsJsonlReader } from '#interop';
import { type DecodedEvent, contextStream, decodeEvent } from '#read-models';
import { type Steps } from '#slices';

import { sha256 } from '../writing/draft.js';
import { invalidLine } from './import.errors.js';

/** An event of the file, with what an import needs to know of it beside its texts. */
export type ImportedEvent = ReadEvent &
  Readonly<{
    envelope: DecodedEvent['envelope'];
    recordedAt: string;
    /** Of an event that begins a fork. */
    source: Readonly<{ contextId: string; version: number }> | undefined;
  }>;

/** An event that a store takes has at most a mebibyte, and its text twice as many characters if each is escaped. */
export const mostLineLength = 2_359_296;

/** The events a file holds of one context: consecutive, and a whole chain from the first of them on. */
export type ImportedGroup = Readonly<{
  workspace: string;
  contextId: string;
  first: ImportedEvent;
  last: ImportedEvent;
  events: readonly ImportedEvent[];
}>;

/** Parses and checks a whole file in steps of a line; what is wrong is refused by line and member. */
export function* readImport(text: string): Steps<ImportedGroup[]> {
  const groups = new Map<string, ImportedEvent[]>();
  let open = '';
  for (const read of readAll(text)) {
    yield;
    if (!read) continue;
    const { workspace, contextId } = read.event;
    const owner = `${workspace}:${contextId}`;
    if (owner !== open && groups.has(owner))
      throw invalidLine(read.line, '/contextId', 'the events of a context must follow each other');
    open = owner;
    const events = groups.get(owner) ?? [];
    groups.set(owner, events);
    events.push(checked(read, events.at(-1)));
  }
  return [...groups.values()].flatMap(groupOf);
}

/** The events line by line; undefined for a line without one. */
function* readAll(text: string): Generator<ReadEvent | undefined> {
  const reader = new EventsJsonlReader(sha256);
  try {
    for (const [at, line] of linesOf(text)) {
      if (line.length > mostLineLength)
        throw new EventsJsonlError(at, '', `is longer than ${mostLineLength} characters`);
      yield reader.take(line);
    }
    reader.finish();
  } catch (error) {
    if (error instanceof EventsJsonlError)
      throw invalidLine(error.line, error.pointer, error.detail);
    throw error;
  }
}

/** Each line with its number, from 1; they are not all there at once, as a file may be nothing but line ends. */
function* linesOf(text: string): Generator<readonly [number, string]> {
  let from = 0;
  for (let line = 1; from <= text.length; line++) {
    const end = text.indexOf('\n', from);
    yield [line, text.slice(from, end < 0 ? text.length : end)];
    if (end < 0) return;
    from = end + 1;
  }
}

function checked(read: ReadEvent, before: ImportedEvent | undefined): ImportedEvent {
  const { event, line } = read;
  const decoded = decode(read);
  const opens = decoded.type === 'ContextCreated' || decoded.type === 'ContextForked';
  if (opens !== (event.version === 1))
    throw invalidLine(line, '/type', 'a context begins with ContextCreated or ContextForked alone');
  const { envelope, recordedAt } = decoded;
  if (before && recordedAt < before.recordedAt)
    throw invalidLine(line, '/metadata/recordedAt', 'is before that of the event before it');
  const source = decoded.type === 'ContextForked' ? decoded.data.source : undefined;
  return { ...read, envelope, recordedAt, source };
}

/** A context must not come to hold what this server cannot read. */
function decode({ event, line }: ReadEvent): DecodedEvent {
  try {
    return decodeEvent(unplaced(event));
  } catch (error) {
    if (error instanceof UndecodableEventError)
      throw invalidLine(line, '/data', `cannot be read by this server: ${error.message}`);
    if (error instanceof SyntaxError) throw invalidLine(line, '/data', 'is not JSON');
    throw error;
  }
}

function unplaced(event: ReadEvent['event']): StoredEvent {
  // It has no place in this log yet, and decoding looks at none.
  return { ...event, stream: contextStream(event), position: '' as Position };
}

function groupOf(events: readonly ImportedEvent[]): ImportedGroup[] {
  const [first, last] = [events.at(0), events.at(-1)];
  if (!first || !last) return [];
  const { workspace, contextId } = first.event;
  return [{ workspace, contextId, first, last, events }];
}
