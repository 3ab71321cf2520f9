import { memberWords } from './policy-words.js';
import { type Extent, type TypeVisibility } from '../../api/policy.js';

/** A cell of a matrix: the extent, for its color, and the words. */
export type Cell = Readonly<{ extent: Extent; words: string }>;

/** A document, as `GET /v1/contexts/{id}` returns it. */
export type Document = Readonly<Record<string, unknown>>;

/** The events of a type that an audience sees. */
export function cellOfType({ record, working, withheld }: TypeVisibility): Cell {
  const removed = withheld.length > 0 ? `, without ${withheld.map(memberWords).join(', ')}` : '';
  if (record === 'none' && working === 'none') return { extent: 'none', words: 'nothing' };
  if (record === 'all' && working === 'all')
    return { extent: removed === '' ? 'all' : 'some', words: `everything${removed}` };
  const parts = [recordWords[record], workingWords[working]].filter((words) => words !== '');
  return { extent: 'some', words: `${parts.join(', ')}${removed}` };
}

const recordWords: Readonly<Record<Extent, string>> = {
  all: 'the record',
  some: 'some of the record',
  none: '',
};
const workingWords: Readonly<Record<Extent, string>> = {
  all: 'working notes',
  some: 'some working notes',
  none: '',
};

/** Members that every reader gets, or that are computed from the others. */
const unlisted: ReadonlySet<string> = new Set([
  'contextId',
  'workspace',
  '_version',
  '_lastModifiedAt',
  '_lastModifiedBy',
  'size',
]);

/** The parts of a document that are not empty. */
export function partsOf(document: Document): readonly string[] {
  return Object.keys(document).filter((name) => !unlisted.has(name) && !isEmpty(document[name]));
}

/** The content of a part that a reader gets, compared with the whole part. */
export function cellOfPart(part: unknown, whole: unknown): Cell {
  if (JSON.stringify(part) === JSON.stringify(whole)) return { extent: 'all', words: 'everything' };
  if (isEmpty(part)) return { extent: 'none', words: 'nothing' };
  const [seen, all] = [countOf(part), countOf(whole)];
  const missing = missingMembers(part, whole).map(memberWords);
  const removed = missing.length > 0 ? `without ${missing.join(', ')}` : '';
  const counts = seen < all ? `${seen} of ${all}` : '';
  const words = [counts, removed].filter((text) => text !== '').join(', ');
  return { extent: 'some', words: words === '' ? 'other content' : words };
}

/** The number of entries of a list, or of values with names; 1 for a single value. */
function countOf(value: unknown): number {
  return typeof value === 'object' && value !== null ? Object.keys(value).length : 1;
}

/** Members that some entry of the whole list has and no entry of the part has. */
function missingMembers(part: unknown, whole: unknown): readonly string[] {
  if (!Array.isArray(part) || !Array.isArray(whole)) return [];
  const present = membersOf(part);
  return [...membersOf(whole)].filter((name) => !present.has(name));
}

function membersOf(entries: readonly unknown[]): ReadonlySet<string> {
  const members = entries.map((entry) =>
    typeof entry === 'object' && entry !== null ? Object.keys(entry) : [],
  );
  return new Set(members.flat());
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined || value === '') return true;
  return typeof value === 'object' && Object.values(value).every(isEmpty);
}
