import { type DocumentFormat } from './documents/document-format.js';
import { sddContextFormat } from './sdd-context/sdd-context.format.js';
import { bmadSessionFormat } from './bmad-session/bmad-session.format.js';
import { storyMarkdownFormat } from './story-markdown/story-markdown.js';
import { adrMarkdownFormat } from './adr-markdown/adr-markdown.js';
import { trajectoryJsonlFormat } from './trajectory-jsonl/trajectory-jsonl.js';
import { langgraphHistoryFormat } from './langgraph-history/langgraph-history.js';
import { reportMarkdownFormat } from './report-markdown/report-markdown.js';

/** Formats for the import and export of contexts as documents, besides events. */
export const documentFormats: readonly DocumentFormat[] = [
  sddContextFormat,
  bmadSessionFormat,
  storyMarkdownFormat,
  adrMarkdownFormat,
  trajectoryJsonlFormat,
  langgraphHistoryFormat,
  reportMarkdownFormat,
];
