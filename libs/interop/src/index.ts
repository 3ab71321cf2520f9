export {
  type ExportFailure,
  type ExportTrailer,
  type ExportedEvent,
  EventsJsonlError,
  eventsJsonl,
  eventsJsonlMediaType,
} from './events-jsonl/events-jsonl.js';
export { type ReadEvent, EventsJsonlReader } from './events-jsonl/read-events-jsonl.js';
export { EventsJsonlWriter } from './events-jsonl/write-events-jsonl.js';
