import { type DocumentFormat } from '../documents/document-format.js';
import { readBmadSession } from './read-bmad-session.js';
import { writeBmadSession } from './write-bmad-session.js';

/**
 * A session of agents in JSON, with its validation rules and transformations in YAML. `/docs/session-files.md` lists its parts and
 * their places in a context.
 */
export const bmadSessionFormat: DocumentFormat = {
  name: 'bmad-session',
  mediaType: 'application/json',
  read: readBmadSession,
  write: writeBmadSession,
};
