export {
  type ExportSignature,
  type ExportTrailer,
  type ExportedEvent,
  type SignedHead,
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
  type ReadingNote,
  type ReadingOptions,
  type Registrations,
  type WrittenSource,
} from './documents/document-format.js';
export { DocumentError } from './documents/document.error.js';
export { type ContextDocument, readContextDocument } from './documents/context-document.js';
export { type DecisionFacts } from './documents/decision-facts.js';
export { type KnownItem, matchedKinds } from './documents/known-items.js';
export { areSame, withEntriesOf } from './documents/document-entries.js';
export { type EarlierImport, planRevision } from './documents/revision-plan.js';
export { sourceParts } from './documents/source-parts.js';
export { documentFormats } from './document-formats.js';
export { storyMarkdownFormat } from './story-markdown/story-markdown.js';
export { adrMarkdownFormat } from './adr-markdown/adr-markdown.js';
export { trajectoryJsonlFormat } from './trajectory-jsonl/trajectory-jsonl.js';
export { sddContextFormat } from './sdd-context/sdd-context.format.js';
export { bmadSessionFormat } from './bmad-session/bmad-session.format.js';
