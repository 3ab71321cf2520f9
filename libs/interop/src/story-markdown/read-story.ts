import { matchedGroups } from '../text/matched-groups.js';
import { readChanges } from './read-changes.js';
import { readCriteria } from './read-criteria.js';
import { readDecisions } from './read-decisions.js';
import { readFieldedRecord } from './read-fielded-record.js';
import { readFiles } from './read-files.js';
import { readFrontMatter } from './read-front-matter.js';
import { readFacts, readStatement, readStatus, readTitle } from './read-head.js';
import { readOther } from './read-other.js';
import { readReviews } from './read-reviews.js';
import { TaskReader } from './read-tasks.js';
import { type SectionKind, sectionKind } from './section-kind.js';
import { slugOf } from '../text/slug.js';
import { type Section, storySections } from './story-sections.js';
import { type StoryReading } from './story-reading.js';

type ReadPart = (sections: readonly Section[], reading: StoryReading) => void;

/** The reader of each kind of section, which gets the section and those below it. */
const readers: Readonly<Record<SectionKind, ReadPart>> = {
  title: eachWith(readTitle),
  status: eachWith(readStatus),
  statement: eachWith(readStatement),
  criteria: (sections, reading) => {
    for (const [at, section] of sections.entries()) readCriteria(section, reading, at > 0);
  },
  tasks: (sections, reading) => {
    const tasks = new TaskReader(reading);
    for (const [at, section] of sections.entries()) tasks.read(section, at > 0);
  },
  decisions: readDecisions,
  record: readFieldedRecord,
  review: readReviews,
  files: eachWith(readFiles),
  changes: eachWith(readChanges),
  other: (sections, reading) => {
    const [first, ...below] = sections;
    if (first) readOther(first, reading);
    for (const section of below) readBelow(section, reading, slugOf(first?.title ?? ''));
  },
};

/** No story is longer. Later lines are stored as text, so that any text is read within seconds. */
const maxLines = 50_000;
const byteOrderMarks = /^\uFEFF*/;

/** Reads a story file into pieces that together are the whole text. */
export function readStory(text: string, reading: StoryReading, firstLine: number): void {
  const end = endOfLines(text, maxLines);
  const [{ length: mark }] = matchedGroups(byteOrderMarks, text);
  reading.add(text.slice(0, mark), []);
  const front = readFrontMatter(text.slice(mark, end), reading);
  const begin = mark + front.length;
  const sections = storySections(text.slice(begin, end), firstLine + front.lines);
  const [first, ...rest] = sections;
  if (first) readFacts(first, reading);
  for (const part of parts(rest)) readers[kindOf(part, reading)](part, reading);
  addTail(text.slice(end), reading, firstLine + maxLines);
}

/** Sections of the first two levels, each with those below it. */
function parts(sections: readonly Section[]): Section[][] {
  const found: Section[][] = [];
  for (const section of sections) {
    const last = found.at(-1);
    if (last && section.level > 2 && last[0]?.level !== 1) last.push(section);
    else found.push([section]);
  }
  return found;
}

/** A reader of a single section; the sections below it are read separately. */
function eachWith(read: (section: Section, reading: StoryReading) => void): ReadPart {
  return (sections, reading) => {
    const [first, ...below] = sections;
    if (first) read(first, reading);
    for (const section of below) readBelow(section, reading, slugOf(first?.title ?? ''));
  };
}

function readBelow(section: Section, reading: StoryReading, parent: string): void {
  const kind = sectionKind(section.title);
  if (kind === 'files') readFiles(section, reading);
  else if (kind === 'changes') readChanges(section, reading);
  else readOther(section, reading, parent);
}

/** The first heading of the first level is the title of the story. */
function kindOf([section]: readonly Section[], { facts }: StoryReading): SectionKind {
  if (!section) return 'other';
  return section.level === 1 && facts.title === null ? 'title' : sectionKind(section.title);
}

function addTail(text: string, reading: StoryReading, line: number): void {
  const detail = `is after the first ${maxLines} lines: only these are read`;
  if (text.trim() !== '') reading.note('text', line, detail);
  reading.add(text, []);
}

const anyLine = /[^\r\n]*(?:\r\n|\r|\n|$)/y;

/** The index after this many lines. */
function endOfLines(text: string, lines: number): number {
  anyLine.lastIndex = 0;
  for (let count = 0; count < lines && anyLine.lastIndex < text.length; count++) anyLine.test(text);
  return Math.min(anyLine.lastIndex, text.length);
}
