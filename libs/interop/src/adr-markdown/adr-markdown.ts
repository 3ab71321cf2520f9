import { type DocumentFormat } from '../documents/document-format.js';
import { readAdrMarkdown } from './read-adr.js';
import { writeAdrMarkdown } from './write-adr.js';

/** Architecture decision records: one Markdown file each, in the forms of Nygard, MADR, log4brains and Y-statements. */
export const adrMarkdownFormat: DocumentFormat = {
  name: 'adr-markdown',
  mediaType: 'text/markdown',
  read: (documents) => readAdrMarkdown(documents),
  write: writeAdrMarkdown,
};
