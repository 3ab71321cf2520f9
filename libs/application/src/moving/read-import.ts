import { type StoredEvent, type Position, UndecodableEventError } from '#event-sourcing';
import { type ReadEvent, EventsJsonlError, EventsJsonlReader } from '#interop';
import { type DecodedEvent, contextStream, decodeEvent } from '#read-models';

import { sha256 } from '../writing/draft.js';
import { invalidLine } from './import.errors.js';

/** An event of the file, and what this code reads in it. */
export type ImportedEvent = ReadEvent & Readonly<{ decoded: DecodedEvent }>;

/** The events a file holds of one context: consecutive, and a whole chain from the first of them on. */
export type ImportedGroup = Readonly<{
  workspace: string;
  contextId: string;
  first: ImportedEvent;
  last: ImportedEvent;
  events: readonly ImportedEvent[];
}>;

/** Parses and checks a whole file; what is wrong is refused by line and member. */
export function readImport(text: string): ImportedGroup[] {
  const groups = new Map<string, ImportedEvent[]>();
  let open = '';
  for (const read of readAll(text)) {
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

function readAll(text: string): ReadEvent[] {
  const reader = new EventsJsonlReader(sha256);
  try {
    const events = text.split('\n').flatMap((line) => reader.take(line) ?? []);
    reader.finish();
    return events;
  } catch (error) {
    if (error instanceof EventsJsonlError)
      throw invalidLine(error.line, error.pointer, error.detail);
    throw error;
  }
}

function checked(read: ReadEvent, before: ImportedEvent | undefined): ImportedEvent {
  const { event, line } = read;
  const decoded = decode(read);
  const opens = decoded.type === 'ContextCreated' || decoded.type === 'ContextForked';
  if (opens !== (event.version === 1))
    throw invalidLine(line, '/type', 'a context begins with ContextCreated or ContextForked alone');
  if (before && decoded.recordedAt < before.decoded.recordedAt)
    throw invalidLine(line, '/metadata/recordedAt', 'is before that of the event before it');
  return { ...read, decoded };
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
