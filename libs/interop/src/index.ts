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
