import { type MarkdownLine } from '../markdown/markdown-lines.js';
import { unescapedText } from '../markdown/escaped-text.js';
import { readBody } from './body-text.js';
import { isPlaceholder, plainText } from './prose.js';
import { readNotes } from './read-other.js';
import { type Section, isBlank, textOf } from './story-sections.js';
import { type StoryReading, storyItem } from './story-reading.js';
import { matchedGroups } from '../text/matched-groups.js';

/** `# Story 1.2: Title`, `# 1.2 - Title`, `# Title`. */
const titleForm =
  /^(?:(?:user )?story\s+)?(?:([A-Za-z]{0,8}\d+(?:[.-]\d+)*[a-z]?)\s*(?:[:.—–-]+\s*|\s))?(.*)$/i;
const labelled =
  /^(?:[-*+] +)?(?:\*\*|__)?(status|epic|story|title)(?::(?:\*\*|__)?|(?:\*\*|__):)[ \t]*(\S.*)$/i;
const longestFact = 1_000;
/** Maximum number of lines of a statement. */
const maxLines = 100;

/** Reads the first heading of the first level. */
export function readTitle(section: Section, reading: StoryReading): void {
  const { title } = section;
  const [, number, rest] = matchedGroups(titleForm, title.slice(0, longestFact));
  const { facts } = reading;
  const [epic] = matchedGroups(/^\d+(?=\.)/, number);
  facts.title = fact(rest) ?? fact(title);
  facts.number = number || null;
  facts.epic ??= epic || null;
  reading.add(textOf(section.heading), [storyItem]);
  readFacts(section, reading);
}

/** Reads lines such as `Status: done` and `**Epic:** 3`; other lines become notes. */
export function readFacts(section: Section, reading: StoryReading): void {
  let others: MarkdownLine[] = [];
  for (const line of section.body) {
    if (line.isCode || !takeFact(line, reading)) {
      others.push(line);
      continue;
    }
    readNotes({ ...section, heading: [], body: others }, reading, 'introduction');
    others = [];
    reading.add(line.text, [storyItem]);
  }
  readNotes({ ...section, heading: [], body: others }, reading, 'introduction');
}

/** Reads `## Status` with the status as its text, or `## Status: Done`. */
export function readStatus(section: Section, reading: StoryReading): void {
  reading.add(textOf(section.heading), [storyItem]);
  const inline = /^\W*status\s*[:—–-]\s*(\S.*)$/i.exec(section.title.slice(0, longestFact))?.[1];
  if (inline !== undefined) reading.facts.status ??= fact(inline);
  let others: MarkdownLine[] = [];
  for (const line of section.body) {
    const status = fact(plainText(unescapedText(line.text)));
    if (status !== null && reading.facts.status === null && line.text.length < longestFact) {
      reading.facts.status = status;
      reading.add(textOf(others) + line.text, [storyItem]);
      others = [];
    } else others.push(line);
  }
  readFacts({ ...section, body: others }, reading);
}

/** Reads "As a …, I want …, so that …". */
export function readStatement(section: Section, reading: StoryReading): void {
  const { heading, body } = section;
  reading.add(textOf(heading), [storyItem]);
  const end = endOfParagraph(body);
  const text = readBody(textOf(body.slice(0, end)));
  const isStated = reading.facts.statement !== null || reading.facts.asA !== null;
  if (isStated || text.length > longestFact * 10 || isPlaceholder(text))
    return void readNotes({ ...section, heading: [] }, reading, 'story-notes');
  takeStatement(text, reading);
  reading.add(textOf(body.slice(0, end)), [storyItem]);
  readNotes({ ...section, heading: [], body: body.slice(end) }, reading, 'story-notes');
}

/** The end of the statement: "As a", "I want" and "so that" may be separate paragraphs. */
function endOfParagraph(body: readonly MarkdownLine[]): number {
  const lines = body.slice(0, maxLines);
  let end = 0;
  for (const [at, { text }] of lines.entries()) {
    if (text.trim() !== '' || isBlank(lines.slice(end, at))) continue;
    const isDone = /\bso that\b/i.test(textOf(lines.slice(end, at)));
    const next = lines.find((line, index) => index > at && line.text.trim() !== '');
    end = at;
    if (isDone || !/^[*_\s]*(?:i want|so that)\b/i.test(next?.text ?? '')) return end;
  }
  return lines.length;
}

function takeStatement(text: string, { facts }: StoryReading): void {
  const plain = withoutLabels(text).replace(/\s+/g, ' ').trim();
  const lower = plain.toLowerCase();
  const want = lower.indexOf('i want');
  const so = lower.indexOf('so that', Math.max(want, 0));
  const isUsual = /^as (?:an?|the)\b/.test(lower) && want > 0 && so > want;
  if (!isUsual) {
    facts.statement = text === '' ? null : text;
    return;
  }
  facts.asA = trimmed(plain.slice(0, want).replace(/^as (?:an?|the) ?/i, ''));
  facts.iWant = trimmed(plain.slice(want + 'i want'.length, so));
  facts.soThat = trimmed(plain.slice(so + 'so that'.length));
}

const labelMarks = /(?:\*\*|__)((?:as (?:an?|the)|i want(?: to)?|so that)\b[:,]?)(?:\*\*|__)?/gi;

/** A statement without emphasis of "As a", "I want" and "so that". */
export function withoutLabels(statement: string): string {
  return statement.replace(labelMarks, '$1');
}

/** Removes punctuation at both ends, and emphasis that only begins or only ends in the part. */
function trimmed(part: string): string {
  const content = part
    .trim()
    .replace(/^[,:]\s*/, '')
    .replace(/[,.;]$/, '');
  return content.split('**').length % 2 === 0
    ? content.replace('**', '').replace(/[,.;]$/, '')
    : content;
}

function takeFact({ text }: MarkdownLine, { facts }: StoryReading): boolean {
  if (text.length > longestFact) return false;
  const [, name = '', value = ''] = labelled.exec(text.trim()) ?? [];
  const said = fact(value);
  if (said === null) return false;
  return takeNamed(name.toLowerCase(), said, facts);
}

export function takeNamed(name: string, said: string, facts: StoryReading['facts']): boolean {
  if (name === 'status' && facts.status === null) facts.status = said;
  else if (name === 'epic') facts.epic = said;
  else if (name === 'story' && facts.number === null) facts.number = said;
  else if (name === 'title' && facts.title === null) facts.title = said;
  else return false;
  return true;
}

function fact(text: string): string | null {
  const content = text
    .trim()
    .slice(0, longestFact)
    .replace(/[*_]+$/, '')
    .trim();
  return content === '' ? null : content.toWellFormed();
}
