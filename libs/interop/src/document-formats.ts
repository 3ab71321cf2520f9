import { type DocumentFormat } from './documents/document-format.js';
import { storyMarkdownFormat } from './story-markdown/story-markdown.js';
import { adrMarkdownFormat } from './adr-markdown/adr-markdown.js';
import { trajectoryJsonlFormat } from './trajectory-jsonl/trajectory-jsonl.js';
import { langgraphHistoryFormat } from './langgraph-history/langgraph-history.js';

/** Formats in which contexts enter and leave as documents, beside their events. */
export const documentFormats: readonly DocumentFormat[] = [
  storyMarkdownFormat,
  adrMarkdownFormat,
  trajectoryJsonlFormat,
  langgraphHistoryFormat,
];
