import { itemRef } from '../documents/item-ref.js';
import { isPlaceholder, plainText, proseOf } from './prose.js';
import { claimedBy, isUnusableAuthor } from './claimed-author.js';
import { readChanges } from './read-changes.js';
import { readFiles } from './read-files.js';
import { addRecord, readNotes, readOther } from './read-other.js';
import { fieldedKind, plainHeading, sectionKind } from './section-kind.js';
import { slugOf } from '../text/slug.js';
import { type Section, isBlank, textOf } from './story-sections.js';
import { type StoryReading, storyItem } from './story-reading.js';

/** Reads a section that becomes one record, such as `## Dev Agent Record`, with its subsections as fields. */
export function readFieldedRecord(sections: readonly Section[], reading: StoryReading): void {
  const [first, ...below] = sections;
  const known = first && fieldedKind(first.title);
  if (!known) return;
  if (known.kind === 'dev-record') takeWorker(below, reading);
  const name = slugOf(first.title);
  const found = fieldsOf(below, known.fields);
  const item = addFields(first, found, { reading, kind: known.kind, name });
  addHeading(first, reading, { name, item });
  const taken = new Set(found.values());
  for (const section of below)
    if (item !== undefined && taken.has(section))
      reading.add(textOf(section.heading) + textOf(section.body), [item]);
    else readBelow(section, reading, name);
}

function fieldsOf(
  below: readonly Section[],
  fields: Readonly<Record<string, RegExp>>,
): ReadonlyMap<string, Section> {
  const found = new Map<string, Section>();
  for (const section of below) {
    const field = fieldOf(section, fields);
    if (field !== undefined && !found.has(field)) found.set(field, section);
  }
  return found;
}

function addHeading(
  section: Section,
  reading: StoryReading,
  { name, item }: Readonly<{ name: string; item: string | undefined }>,
): void {
  const { heading, body } = section;
  reading.add(textOf(heading), [item ?? storyItem]);
  if (isBlank(body) || isPlaceholder(textOf(body))) reading.add(textOf(body), [item ?? storyItem]);
  else readNotes({ ...section, heading: [] }, reading, `${name}.notes`);
}

function fieldOf(
  { title, body }: Section,
  fields: Readonly<Record<string, RegExp>>,
): string | undefined {
  if (isBlank(body) || isPlaceholder(textOf(body))) return undefined;
  const plain = plainHeading(title);
  return Object.keys(fields).find((name) => fields[name]?.test(plain) === true);
}

type RecordPlan = Readonly<{ reading: StoryReading; kind: string; name: string }>;

function addFields(
  { title, heading }: Section,
  found: ReadonlyMap<string, Section>,
  { reading, kind, name }: RecordPlan,
): string | undefined {
  if (found.size === 0) return undefined;
  const fields = Object.fromEntries(
    Array.from(found, ([field, { body }]) => [field, proseOf(textOf(body))]),
  );
  const recordId = reading.names.take('record', name);
  const item = itemRef('record', recordId);
  const origin = kind === 'dev-record' ? reading.worker : undefined;
  const line = heading[0]?.number ?? 1;
  const data = { recordId, kind, title: title.slice(0, 1_000), fields };
  return reading.state(item, { type: 'RecordAppended', data, line, origin }) ? item : undefined;
}

function readBelow(section: Section, reading: StoryReading, parent: string): void {
  const kind = sectionKind(section.title);
  if (kind === 'files') readFiles(section, reading);
  else if (kind === 'changes') readChanges(section, reading);
  else if (parent.startsWith('dev') && !isPlaceholder(textOf(section.body)))
    addRecord(section, reading, {
      name: `${parent}.${slugOf(section.title)}`,
      origin: reading.worker,
    });
  else readOther(section, reading, parent);
}

/** Takes the model that did the work as the claimed author of the record. */
function takeWorker(below: readonly Section[], reading: StoryReading): void {
  const section = below.find(({ title }) => /^agent model( used)?$/.test(plainHeading(title)));
  const line = section?.body.find(({ text }) => text.trim() !== '');
  if (!line || isPlaceholder(line.text)) return;
  const name = plainText(line.text.replace(/^\s*[-*+]\s+/, ''));
  reading.worker = claimedBy(name, '');
  if (isUnusableAuthor(name))
    reading.note(
      'text',
      line.number,
      `names an author that no agent can have: "${name.slice(0, 80)}"`,
    );
}
