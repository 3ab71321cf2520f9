import { type JsonPart } from '../json/json-part.js';
import { type SddReading } from './sdd-reading.js';

/** The entries of a list of the document; empty, with a note, if the member is not a list. */
export function listIn({ draft, entry }: SddReading, name: string): readonly JsonPart[] {
  const part = entry.member(name);
  if (part && !part.isArray) draft.note(part, 'text', 'expected a list');
  return part?.elements() ?? [];
}
