import {
  AppendTooLargeError,
  type Position,
  type StoredEvent,
  UndecodableEventError,
  encodedSize,
  findAppendIndex,
  maxAppendBytes,
} from '#event-sourcing';
import { type ReadEvent, type ReadSignature, EventsJsonlError, EventsJsonlReader } from '#interop';
import { sha256 } from '#read-models';
import { type DecodedEvent, contextStream, decodeEvent } from '#shared-context';
import { type Steps } from '#slices';

import { invalidLine } from './import.errors.js';

/** An event of the file, with the decoded fields that an import needs. */
export type ImportedEvent = ReadEvent &
  Readonly<{
    envelope: DecodedEvent['envelope'];
    recordedAt: string;
    /** The source of a fork, for its first event. */
    source: Readonly<{ contextId: string; version: number }> | undefined;
  }>;

/** A stored event has at most a mebibyte, and its text twice as many characters if each is escaped. */
export const maxLineLength = 2_359_296;

/** The events of one context in a file: consecutive, with an intact hash chain from the first of them on. */
export type ImportedGroup = Readonly<{
  workspace: string;
  contextId: string;
  first: ImportedEvent;
  last: ImportedEvent;
  events: readonly ImportedEvent[];
  /** The signature of the last event; undefined if there is none after it. */
  signature: ReadSignature | undefined;
}>;

type OpenGroup = { events: ImportedEvent[]; signature: ReadSignature | undefined };

/**
 * Parses and checks a whole file, one line per step. Errors name the line and the member. Throws AppendTooLargeError
 * for an event that is too large for the store, before it is decoded.
 */
export function* readImport(text: string): Steps<ImportedGroup[]> {
  const groups = new Map<string, OpenGroup>();
  let open: OpenGroup | undefined;
  for (const read of readAll(text)) {
    yield;
    if (!read) continue;
    const group = groupWith(read, groups);
    if (group.events.length > 0 && group !== open)
      throw invalidLine(read.line, '/contextId', 'the events of a context must be consecutive');
    open = group;
    if ('event' in read) group.events.push(checked(read, group.events.at(-1)));
    group.signature = 'event' in read ? undefined : read;
  }
  return [...groups.values()].flatMap(groupOf);
}

/** The group of the context of a line, a new one for its first line. */
function groupWith(read: ReadEvent | ReadSignature, groups: Map<string, OpenGroup>): OpenGroup {
  const { workspace, contextId } = 'event' in read ? read.event : read.signature;
  const owner = `${workspace}:${contextId}`;
  const group = groups.get(owner) ?? { events: [], signature: undefined };
  groups.set(owner, group);
  return group;
}

/** Yields the events and signatures line by line; undefined for other lines. */
function* readAll(text: string): Generator<ReadEvent | ReadSignature | undefined> {
  const reader = new EventsJsonlReader(sha256);
  try {
    for (const [at, line] of linesOf(text)) {
      if (line.length > maxLineLength)
        throw new EventsJsonlError(at, '', `is longer than ${maxLineLength} characters`);
      yield reader.take(line);
    }
    reader.finish();
  } catch (error) {
    if (error instanceof EventsJsonlError)
      throw invalidLine(error.line, error.pointer, error.detail);
    throw error;
  }
}

/**
 * Yields each line with its number, from 1. Lines are not split at once, because a file may have millions of empty
 * lines.
 */
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
  const bytes = encodedSize(event);
  if (bytes > maxAppendBytes) throw new AppendTooLargeError(bytes);
  const decoded = decode(read);
  const opens = decoded.type === 'ContextCreated' || decoded.type === 'ContextForked';
  if (opens !== (event.version === 1))
    throw invalidLine(
      line,
      '/type',
      'the first event of a context, and only that, must be ContextCreated or ContextForked',
    );
  checkPlace(read, before);
  const { envelope, recordedAt } = decoded;
  if (before && recordedAt < before.recordedAt)
    throw invalidLine(line, '/metadata/recordedAt', 'is earlier than that of the event before it');
  const source = decoded.type === 'ContextForked' ? decoded.data.source : undefined;
  return { ...read, envelope, recordedAt, source };
}

/**
 * Checks that the append index in the id fits the events before it. An import may have ended within an append, so that
 * another append follows its first part.
 */
function checkPlace({ event, line }: ReadEvent, before: ImportedEvent | undefined): void {
  const place = findAppendIndex(event.eventId);
  if (!place || place.index === 0) return;
  const { index, following } = place;
  const says = `states that ${index} events of its append precede it`;
  if (index >= event.version)
    throw invalidLine(line, '/eventId', `${says}, but it has version ${event.version}`);
  if (!before) return;
  const previous = findAppendIndex(before.event.eventId);
  if (previous?.index !== index - 1 || previous.following !== following + 1)
    throw invalidLine(
      line,
      '/eventId',
      `${says}, but the event before it belongs to another append`,
    );
}

/** Refuses events that this server cannot read. */
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
  // The event has no position in this log yet; decoding does not use one.
  return { ...event, stream: contextStream(event), position: '' as Position };
}

function groupOf({ events, signature }: OpenGroup): ImportedGroup[] {
  const [first, last] = [events.at(0), events.at(-1)];
  if (!first || !last) return [];
  const { workspace, contextId } = first.event;
  return [{ workspace, contextId, first, last, events, signature }];
}
