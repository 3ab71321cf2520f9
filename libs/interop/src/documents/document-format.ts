import { type JsonObject } from '#event-sourcing';
import { type ClientEvent, type EventData, type SourcePiece } from '#shared-context';

import { type ContextDocument } from './context-document.js';

/** An imported document: `name` is its file, as a path with `/`. */
export type NamedText = Readonly<{ name: string; text: string }>;

/** The agent and the time (RFC 3339) that the document states for something. */
export type ClaimedOrigin = Readonly<{
  agentId?: string | undefined;
  timestamp?: string | undefined;
}>;

/**
 * A location in a document: lines count from 1; `pointer` (RFC 6901) leads to a member of JSON or YAML, '' if there is
 * none.
 */
export type DocumentPlace = Readonly<{ document: string; line: number; pointer: string }>;

/** Numbers that no events explain: only an import states them. */
export type StatedBaseline = Readonly<{
  type: 'BaselineImported';
  data: EventData<'BaselineImported'>;
}>;

/** A part of a document as an event. `item`: the item that the event creates or changes, as `<kind>:<key>`. */
export type PlannedEvent = Readonly<{
  item: string;
  event: ClientEvent | StatedBaseline;
  origin?: ClaimedOrigin | undefined;
  place: DocumentPlace;
}>;

/**
 * A part that was not imported unchanged. `text`: stored in the source only, verbatim; `left-out`: in no event;
 * `changed`: imported in another form.
 */
export type ReadingNote = DocumentPlace &
  Readonly<{ kind: 'text' | 'left-out' | 'changed'; detail: string }>;

/** A document in pieces. Their joined texts are the whole document. */
export type ReadDocument = Readonly<{ name: string; pieces: readonly SourcePiece[] }>;

/** Agents and transformations that a document defines, as definitions of the registry; registered only on request. */
export type Registrations = Readonly<{
  agents: readonly Readonly<{ agentId: string; definition: JsonObject; place: DocumentPlace }>[];
  transformations: readonly Readonly<{
    transformationId: string;
    definition: JsonObject;
    place: DocumentPlace;
  }>[];
}>;

/**
 * The result of reading documents. The same documents give the same result, and items have the same names in each
 * revision of a document: from a number, or from the words of a heading.
 */
export type DocumentReading = Readonly<{
  /** The id of the context if the request names none: 1 to 128 of A-Z a-z 0-9 . _ - */
  contextId: string;
  /** The payload of the creation of the context. */
  creation: EventData<'ContextCreated'>;
  events: readonly PlannedEvent[];
  documents: readonly ReadDocument[];
  notes: readonly ReadingNote[];
  registrations?: Registrations | undefined;
}>;

/** A document that a context was imported from, with the context after that import. */
export type WrittenSource = Readonly<{
  name: string;
  pieces: readonly SourcePiece[];
  removed: readonly string[];
  before: ContextDocument;
}>;

/**
 * `sources`: documents of this format only, in the order of their first import; empty if the context was not imported
 * from this format.
 */
export type ContextToWrite = Readonly<{
  document: ContextDocument;
  /** The state that was imported from another system; null if there is none. */
  baseline: EventData<'BaselineImported'> | null;
  sources: readonly WrittenSource[];
}>;

/** `notCarried`: the content of the context that the format has no place for, in a word or two each. */
export type WrittenDocuments = Readonly<{
  documents: readonly NamedText[];
  notCarried: readonly string[];
}>;

/** A format for import or export; both functions are pure and take time in proportion to the text. */
export type DocumentFormat = Readonly<{
  name: string;
  /** The media type of one document. */
  mediaType: string;
  /**
   * Reads documents that form one context. Throws DocumentError for a document that cannot be imported without loss.
   */
  read?: (documents: readonly NamedText[], options: ReadingOptions) => DocumentReading;
  write?: (context: ContextToWrite) => WrittenDocuments;
}>;

/** `firstLine`: the number of the first line of the text in its file, if the text is a portion of the file. */
export type ReadingOptions = Readonly<{ firstLine?: number | undefined }>;
