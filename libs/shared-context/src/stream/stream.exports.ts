export { type ContextHead, advanceHead } from './context-head.js';
export { type ContextId, contextOfStream, contextStream } from './context-stream.js';
export { type DecodedEvent, decodeEvent, recordedEvent } from './decode-event.js';
export { type ReadEvents, foldStream } from './fold-stream.js';
