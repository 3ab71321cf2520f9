import { type JsonPart } from '../json/json-part.js';
import { type SddReading } from './sdd-reading.js';

/** The entries of a list of the document; none, with a note, if it is no list. */
export function listIn({ draft, entry }: SddReading, name: string): readonly JsonPart[] {
  const part = entry.member(name);
  if (part && !part.isArray) draft.note(part, 'text', 'a list is expected here');
  return part?.elements() ?? [];
}
