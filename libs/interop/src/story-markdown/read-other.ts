import { bodyOf, isPlaceholder } from './prose.js';
import { itemRef } from '../documents/item-ref.js';
import { slugOf } from './item-names.js';
import { type Section, isBlank, textOf } from './story-sections.js';
import { type Statement, type StoryReading, storyItem } from './story-reading.js';

const longestTitle = 1_000;

/** A section that no other reader knows, as a record with the heading as its title. */
export function readOther(section: Section, reading: StoryReading, parent = ''): void {
  const slug = slugOf(section.title);
  readNotes(section, reading, parent === '' ? slug : `${parent}.${slug}`);
}

/** The same under a name of its own. A heading without a text of its own is part of the outline of the story. */
export function readNotes(section: Section, reading: StoryReading, name: string): void {
  const { heading, body } = section;
  const text = textOf(heading) + textOf(body);
  if (isBlank(body) || isPlaceholder(textOf(body))) reading.add(text, [storyItem]);
  else addRecord(section, reading, { name });
}

type RecordOptions = Readonly<{
  name: string;
  kind?: 'custom' | 'review-record';
  origin?: Statement['origin'];
  fields?: Readonly<Record<string, string>>;
}>;

/** Adds a section as one record, or as text if a record cannot say it. Returns the item. */
export function addRecord(
  { title, heading, body }: Section,
  reading: StoryReading,
  { name, kind = 'custom', origin, fields }: RecordOptions,
): string {
  const recordId = reading.names.take('record', name);
  const item = itemRef('record', recordId);
  const isTitle = title.trim() !== '' && title.length <= longestTitle;
  const data = {
    ...{ recordId, kind, body: bodyOf(textOf(body)), fields },
    ...(isTitle ? { title } : {}),
  };
  const line = heading[0]?.number ?? body[0]?.number ?? 1;
  const isStated = reading.state(item, { type: 'RecordAppended', data, line, origin });
  reading.add(textOf(heading) + textOf(body), isStated ? [item] : []);
  return item;
}
