import { isJsonObject } from '#event-sourcing';
import { type ContextDocument } from './context-document.js';
import { entryBy } from './entry-index.js';
import { itemOfRef } from './item-ref.js';

type Entry = Readonly<Record<string, unknown>>;
/** The location of a list of entries with ids, or of values by name, in a document. */
type EntryLocation = Readonly<{ path: readonly string[]; id?: string }>;

const places: ReadonlyMap<string, EntryLocation> = new Map<string, EntryLocation>([
  ['task', { path: ['tasks'], id: 'taskId' }],
  ['decision', { path: ['decisionHistory'], id: 'decisionId' }],
  ['artifact', { path: ['artifactReferences'], id: 'artifactId' }],
  ['handover', { path: ['handoverNotes'], id: 'handoverId' }],
  ['review', { path: ['reviewHistory'], id: 'reviewId' }],
  ['requirement', { path: ['requirements'], id: 'requirementId' }],
  ['risk', { path: ['risks'], id: 'riskId' }],
  ['record', { path: ['records'], id: 'recordId' }],
  ['phase', { path: ['completedPhases'], id: 'phase' }],
  ['blocker', { path: ['dependencies', 'blockers'], id: 'blockerId' }],
  ['external-dependency', { path: ['dependencies', 'external'], id: 'name' }],
  ['internal-dependency', { path: ['dependencies', 'internal'], id: 'name' }],
  ['global', { path: ['globalContext'] }],
  ['preference', { path: ['userPreferences'] }],
  ['step-output', { path: ['stepOutputs'] }],
  ['loop', { path: ['circuitBreakers'] }],
]);

/** Members that other items change, or that only state a version. */
const incidental: ReadonlySet<string> = new Set([
  'version',
  'revision',
  'stale',
  'stalePath',
  'stalePathLength',
]);

/** The entry of an item, or its value; undefined if the document has none. */
export function findEntry(document: ContextDocument, ref: string): unknown {
  const { kind, key } = itemOfRef(ref);
  if (kind === 'creation') return creationOf(document);
  for (const place of placesOf(kind)) {
    const found = entryIn(valueAt(document, place.path), place, key);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Whether all these items are the same in both documents. */
export function areSame(
  items: readonly string[],
  before: ContextDocument,
  now: ContextDocument,
): boolean {
  return items.every((ref) => {
    const [left, right] = [findEntry(before, ref), findEntry(now, ref)];
    return left === right || comparable(left) === comparable(right);
  });
}

/**
 * The document with these items taken from another one. Items that the other one does not have are removed; without
 * another one, all are.
 */
export function withEntriesOf(
  document: ContextDocument,
  items: readonly string[],
  other?: ContextDocument,
): ContextDocument {
  let result: Entry = document;
  for (const ref of items) {
    const { kind, key } = itemOfRef(ref);
    for (const place of placesOf(kind)) {
      const replacement = entryIn(other && valueAt(other, place.path), place, key);
      const replaced = replacedIn(valueAt(result, place.path), { place, key, replacement });
      result = withValueAt(result, place.path, replaced);
    }
  }
  // Each entry comes from the same location of a document of the same shape.
  return result as ContextDocument;
}

function placesOf(kind: string): readonly EntryLocation[] {
  const names = kind === 'dependency' ? ['external-dependency', 'internal-dependency'] : [kind];
  return names.flatMap((name) => places.get(name) ?? []);
}

function creationOf({ title, metadata, input }: ContextDocument): Entry {
  return { title, metadata, input };
}

function entryIn(value: unknown, { id }: EntryLocation, key: string): unknown {
  if (id === undefined)
    return isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  return Array.isArray(value) ? entryBy<Entry>(value, id, key) : undefined;
}

function replacedIn(
  value: unknown,
  {
    place: { id },
    key,
    replacement,
  }: Readonly<{ place: EntryLocation; key: string; replacement: unknown }>,
): unknown {
  if (id === undefined) {
    const others = Object.entries(isJsonObject(value) ? value : {}).filter(
      ([name]) => name !== key,
    );
    return Object.fromEntries(replacement === undefined ? others : [...others, [key, replacement]]);
  }
  const list: readonly Entry[] = Array.isArray(value) ? value : [];
  if (replacement === undefined) return list.filter((entry) => entry[id] !== key);
  const exists = list.some((entry) => entry[id] === key);
  return exists
    ? list.map((entry) => (entry[id] === key ? replacement : entry))
    : [...list, replacement];
}

function valueAt(document: Entry, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (value, name) => (isJsonObject(value) ? value[name] : undefined),
    document,
  );
}

function withValueAt(
  document: Entry,
  [name = '', ...rest]: readonly string[],
  value: unknown,
): Entry {
  const inner = document[name];
  const next =
    rest.length === 0 ? value : withValueAt(isJsonObject(inner) ? inner : {}, rest, value);
  return { ...document, [name]: next };
}

function comparable(entry: unknown): string | undefined {
  if (!isJsonObject(entry)) return JSON.stringify(entry);
  return JSON.stringify(Object.entries(entry).filter(([name]) => !incidental.has(name)));
}
