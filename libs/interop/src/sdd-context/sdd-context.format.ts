import { type DocumentFormat } from '../documents/document-format.js';
import { readSddContext } from './read-sdd-context.js';
import { writeSddContext } from './write-sdd-context.js';

/**
 * The format of the context.json of a feature: `/docs/documents-reference.md` compares its fields with the members of a
 * document.
 */
export const sddContextFormat: DocumentFormat = {
  name: 'sdd-context',
  mediaType: 'application/json',
  read: readSddContext,
  write: writeSddContext,
};
