import { type JsonObject } from '#event-sourcing';
import { type ClientEvent, type EventData, type SourcePiece } from '#shared-context';

import { type ContextDocument } from './context-document.js';

/** A document as it came: `name` is its file, as a path with `/`. */
export type NamedText = Readonly<{ name: string; text: string }>;

/** Who is said to have done something, and when (RFC 3339), as the document says it. */
export type ClaimedOrigin = Readonly<{
  agentId?: string | undefined;
  timestamp?: string | undefined;
}>;

/** A place in a document: lines count from 1; `pointer` (RFC 6901) leads to a member of JSON or YAML, '' if there is none. */
export type DocumentPlace = Readonly<{ document: string; line: number; pointer: string }>;

/** Figures that the log cannot explain: only an import states them. */
export type StatedBaseline = Readonly<{
  type: 'BaselineImported';
  data: EventData<'BaselineImported'>;
}>;

/** A part of a document as an event. `item`: the item that the event makes or changes, as `<kind>:<key>`. */
export type PlannedEvent = Readonly<{
  item: string;
  event: ClientEvent | StatedBaseline;
  origin?: ClaimedOrigin | undefined;
  place: DocumentPlace;
}>;

/**
 * What was not taken over as it was: `text`: kept in the source alone, verbatim; `left-out`: said by no event; `changed`:
 * taken over in another form.
 */
export type ReadingNote = DocumentPlace &
  Readonly<{ kind: 'text' | 'left-out' | 'changed'; detail: string }>;

/** A document in pieces: their texts, joined, are the whole document. */
export type ReadDocument = Readonly<{ name: string; pieces: readonly SourcePiece[] }>;

/** Agents and transformations that a document defines, in the shape that the registry takes; registered only on request. */
export type Registrations = Readonly<{
  agents: readonly Readonly<{ agentId: string; definition: JsonObject; place: DocumentPlace }>[];
  transformations: readonly Readonly<{
    transformationId: string;
    definition: JsonObject;
    place: DocumentPlace;
  }>[];
}>;

/**
 * What documents become. The same documents have the same reading, and items keep their names from one revision of a
 * document to the next: by number, or by the words of a heading.
 */
export type DocumentReading = Readonly<{
  /** For the id of the context if nobody names one: 1 to 128 of A-Z a-z 0-9 . _ - */
  contextId: string;
  /** What the context is created with. */
  creation: EventData<'ContextCreated'>;
  events: readonly PlannedEvent[];
  documents: readonly ReadDocument[];
  notes: readonly ReadingNote[];
  registrations?: Registrations | undefined;
}>;

/** A document that a context was imported from, with the context as it was behind that import. */
export type WrittenSource = Readonly<{
  name: string;
  pieces: readonly SourcePiece[];
  removed: readonly string[];
  before: ContextDocument;
}>;

/** `sources`: of this format only, in the order of their first import; none if the context never was such a document. */
export type ContextToWrite = Readonly<{
  document: ContextDocument;
  /** What was taken over from another system; null if everything happened here. */
  baseline: EventData<'BaselineImported'> | null;
  sources: readonly WrittenSource[];
}>;

/** `notCarried`: what of the context the format has no place for, each in a word or two. */
export type WrittenDocuments = Readonly<{
  documents: readonly NamedText[];
  notCarried: readonly string[];
}>;

/** A format that contexts enter or leave in; both functions are pure and take time in proportion to the text. */
export type DocumentFormat = Readonly<{
  name: string;
  /** Of one document. */
  mediaType: string;
  /** Documents that become one context together. Throws DocumentError for what cannot be taken in without losing something. */
  read?: (documents: readonly NamedText[], options: ReadingOptions) => DocumentReading;
  write?: (context: ContextToWrite) => WrittenDocuments;
}>;

/** `firstLine`: the number in its file of the first line of the text, if that is a portion of the file. */
export type ReadingOptions = Readonly<{ firstLine?: number | undefined }>;
