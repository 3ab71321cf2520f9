import { contextIdOf } from '../documents/context-id.js';
import {
  type DocumentReading,
  type NamedText,
  type PlannedEvent,
  type ReadingOptions,
} from '../documents/document-format.js';
import { DocumentError } from '../documents/document.error.js';
import { slugOf } from '../text/slug.js';
import { ItemNames } from './item-names.js';
import { isGateFile, readGateFile } from './read-gate-file.js';
import { readStory } from './read-story.js';
import { factsAsJson } from './story-facts.js';
import { StoryReading, storyItem } from './story-reading.js';

const longestId = 100;

/**
 * Reads a story, together with the files of its quality gates, in any order. Throws DocumentError for several stories,
 * and for a gate file without a story that is not valid YAML.
 */
export function readStoryDocuments(
  documents: readonly NamedText[],
  { firstLine = 1 }: ReadingOptions,
): DocumentReading {
  const stories = documents.filter((one) => !isGateFile(one));
  const [, second] = stories;
  if (second)
    throw new DocumentError(
      { document: second.name, line: 1, pointer: '' },
      'is a second story: import each story as a separate context',
    );
  const names = new ItemNames();
  const ordered = [...stories, ...documents.filter(isGateFile)];
  const readings = new Map(ordered.map((one) => [one, new StoryReading(one.name, names)]));
  const facts = [...readings.values()][0]?.facts;
  for (const [document, reading] of readings) {
    if (facts && reading.facts !== facts) Object.assign(reading.facts, facts);
    if (isGateFile(document)) readGateFile(document.text, reading, stories.length === 0);
    else readStory(document.text, reading, firstLine);
  }
  return joined(documents, readings);
}

function joined(
  documents: readonly NamedText[],
  readings: ReadonlyMap<NamedText, StoryReading>,
): DocumentReading {
  const all = [...readings.values()];
  const [first] = all;
  const name = first?.document ?? 'story';
  return {
    contextId: idNamed(name, first),
    creation: { title: titleOf(name, first) },
    events: [...storyEvents(first), ...all.flatMap(({ events }) => events)],
    documents: documents.map((one) => ({
      name: one.name,
      pieces: readings.get(one)?.pieces ?? [],
    })),
    notes: all.flatMap(({ notes }) => notes),
  };
}

/** The event with the facts of the story comes first, because pieces of the outline refer to it. */
function storyEvents(reading: StoryReading | undefined): PlannedEvent[] {
  const isNamed = reading?.pieces.some(({ items }) => items.includes(storyItem)) === true;
  if (!reading || !isNamed) return [];
  const story = factsAsJson(reading.facts);
  return [
    {
      item: storyItem,
      event: { type: 'GlobalContextSet', data: { values: { story } } },
      place: { document: reading.document, line: 1, pointer: '' },
    },
  ];
}

function titleOf(name: string, reading: StoryReading | undefined): string {
  const { number = null, title = null } = reading?.facts ?? {};
  const words = [number === null ? '' : `Story ${number}`, title ?? ''].filter(
    (part) => part !== '',
  );
  return (words.length > 0 ? words.join(': ') : `Story ${baseName(name)}`)
    .slice(0, 1_000)
    .toWellFormed();
}

/** An id such as `story-1.2-add-a-toggle`: from number and title, or from the file name if the story has neither. */
function idNamed(name: string, reading: StoryReading | undefined): string {
  const { number = null, title = null } = reading?.facts ?? {};
  const words = slugOf(title ?? (number === null ? baseName(name) : ''), '');
  const id = ['story', number ?? '', asciiOf(words)].filter((part) => part !== '').join('-');
  const readable = asciiOf(id).slice(0, longestId);
  return contextIdOf(readable.replace(/[-.]+$/, ''), 'story');
}

function asciiOf(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/-{2,}/g, '-');
}

function baseName(name: string): string {
  return (name.split('/').at(-1) ?? '').replace(/(?:\.story)?\.\w+$/, '');
}
