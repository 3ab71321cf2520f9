import { unreferenced } from '../markdown/character-reference.js';
import { readBody } from './body-text.js';
import { isPlaceholder } from './prose.js';
import { itemRef } from '../documents/item-ref.js';
import { slugOf } from '../text/slug.js';
import { type Section, isBlank, textOf } from './story-sections.js';
import { type Statement, type StoryReading, storyItem } from './story-reading.js';

const longestTitle = 1_000;

/** Reads a section without another reader as a record with the heading as its title. */
export function readOther(section: Section, reading: StoryReading, parent = ''): void {
  const slug = slugOf(unreferenced(section.title));
  readNotes(section, reading, parent === '' ? slug : `${parent}.${slug}`);
}

/**
 * Reads a section as a record of the given name; returns whether it became one. A heading without text is part of the
 * outline of the story.
 */
export function readNotes(section: Section, reading: StoryReading, name: string): boolean {
  const { heading, body } = section;
  const text = textOf(heading) + textOf(body);
  const isEmpty = isBlank(body) || isPlaceholder(textOf(body));
  if (isEmpty) reading.add(text, [storyItem]);
  else addRecord(section, reading, { name });
  return !isEmpty;
}

/** Reads text that does not have the form of its section as a record, with a note. */
export function readRest(
  { title, body }: Pick<Section, 'title' | 'body'>,
  reading: StoryReading,
  { name, form }: Readonly<{ name: string; form: string }>,
): void {
  const line = body.find(({ text }) => text.trim() !== '')?.number ?? 1;
  if (readNotes({ level: 0, title, heading: [], body }, reading, name))
    reading.note('changed', line, `is not a ${form}: stored as a record`);
}

type RecordOptions = Readonly<{
  name: string;
  kind?: 'custom' | 'review-record';
  origin?: Statement['origin'];
  /** Another item that contains the section. */
  otherItem?: string | undefined;
}>;

/** Adds a section as a record, or as text if no record can contain it. Returns the item. */
export function addRecord(
  { title, heading, body }: Section,
  reading: StoryReading,
  { name, kind = 'custom', origin, otherItem }: RecordOptions,
): string {
  const recordId = reading.names.take('record', name);
  const item = itemRef('record', recordId);
  const isTitle = title.trim() !== '' && title.length <= longestTitle;
  const text = { title: isTitle ? unreferenced(title) : undefined, body: readBody(textOf(body)) };
  const lines = [...heading.slice(0, 1), ...body.slice(0, 1)];
  const isStated = reading.state(item, {
    type: 'RecordAppended',
    data: { recordId, kind, ...text },
    line: lines[0]?.number ?? 1,
    origin,
  });
  const items = [isStated ? item : undefined, otherItem].filter((one) => one !== undefined);
  reading.add(textOf(heading) + textOf(body), items);
  return item;
}
