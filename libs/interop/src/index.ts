export {
  type ExportFailure,
  type ExportSignature,
  type ExportTrailer,
  type ExportedEvent,
  type SignedPlace,
  EventsJsonlError,
  eventsJsonl,
  eventsJsonlMediaType,
  signedText,
} from './events-jsonl/events-jsonl.js';
export {
  type ReadEvent,
  type ReadSignature,
  EventsJsonlReader,
} from './events-jsonl/read-events-jsonl.js';
export { EventsJsonlWriter } from './events-jsonl/write-events-jsonl.js';
export {
  type ClaimedOrigin,
  type ContextToWrite,
  type DocumentFormat,
  type DocumentPlace,
  type DocumentReading,
  type NamedText,
  type PlannedEvent,
  type ReadDocument,
  type ReadingNote,
  type Registrations,
  type StatedBaseline,
  type WrittenDocuments,
  type WrittenSource,
} from './documents/document-format.js';
export { DocumentError } from './documents/document.error.js';
export { type ContextDocument, readContextDocument } from './documents/context-document.js';
export { sddContextFormat } from './sdd-context/sdd-context.format.js';
export { bmadSessionFormat } from './bmad-session/bmad-session.format.js';
