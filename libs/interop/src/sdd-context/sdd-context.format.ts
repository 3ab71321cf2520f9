import { type DocumentFormat } from '../documents/document-format.js';
import { readSddContext } from './read-sdd-context.js';
import { writeSddContext } from './write-sdd-context.js';

/** The context.json of a feature: `/docs/documents-reference.md` lists its fields beside the members of a document. */
export const sddContextFormat: DocumentFormat = {
  name: 'sdd-context',
  mediaType: 'application/json',
  read: readSddContext,
  write: writeSddContext,
};
