import { type DocumentFormat } from '../documents/document-format.js';
import { readBmadSession } from './read-bmad-session.js';
import { writeBmadSession } from './write-bmad-session.js';

/**
 * A session of agents in JSON, with its validation rules and transformations in YAML: `/docs/context-engine.md` has its parts
 * beside those of a context.
 */
export const bmadSessionFormat: DocumentFormat = {
  name: 'bmad-session',
  mediaType: 'application/json',
  read: readBmadSession,
  write: writeBmadSession,
};
