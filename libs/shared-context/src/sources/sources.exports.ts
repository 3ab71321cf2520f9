export { maxParts as maxSourceParts } from './source-document.events.js';
export {
  type SourceDocument,
  type SourcePart,
  type SourcePiece,
  sourceDocuments,
} from './source-document.item.js';
