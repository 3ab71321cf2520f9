import { type DocumentFormat } from '../documents/document-format.js';
import { readSddContext } from './read-sdd-context.js';
import { writeSddContext } from './write-sdd-context.js';

/** The context.json of a feature: `/docs/context-manifest.md` has its parts beside those of a context. */
export const sddContextFormat: DocumentFormat = {
  name: 'sdd-context',
  mediaType: 'application/json',
  read: readSddContext,
  write: writeSddContext,
};
