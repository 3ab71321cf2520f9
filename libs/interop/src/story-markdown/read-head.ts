import { type MarkdownLine } from '../markdown/markdown-lines.js';
import { bodyOf, isPlaceholder, plainText } from './prose.js';
import { readNotes } from './read-other.js';
import { type Section, isBlank, textOf } from './story-sections.js';
import { type StoryReading, storyItem } from './story-reading.js';

/** `# Story 1.2: Title`, `# 1.2 - Title`, `# Title`. */
export const titleForm =
  /^(?:(?:user )?story\s+)?(?:([A-Za-z]{0,8}\d+(?:[.-]\d+)*[a-z]?)\s*(?:[:.—–-]+\s*|\s))?(.*)$/i;
const labelled =
  /^(?:[-*+] +)?(?:\*\*|__)?(status|epic|story|title)(?::(?:\*\*|__)?|(?:\*\*|__):)[ \t]*(\S.*)$/i;
const longestFact = 1_000;
/** A longer statement is no sentence. */
const mostLines = 100;

/** The first heading of the first level. */
export function readTitle(section: Section, reading: StoryReading): void {
  const { title } = section;
  const [, number, rest = ''] = titleForm.exec(title.slice(0, longestFact)) ?? [];
  const { facts } = reading;
  facts.title = rest.trim() === '' ? fact(title) : fact(rest);
  facts.number = number ?? null;
  facts.epic ??= number?.includes('.') === true ? (number.split('.')[0] ?? null) : null;
  reading.add(textOf(section.heading), [storyItem]);
  readFacts(section, reading);
}

/** Lines such as `Status: done` and `**Epic:** 3`, with whatever else is beside them. */
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

/** `## Status`, whose text is the status, or `## Status: Done`. */
export function readStatus(section: Section, reading: StoryReading): void {
  reading.add(textOf(section.heading), [storyItem]);
  const inline = /^\W*status\s*[:—–-]\s*(\S.*)$/i.exec(section.title.slice(0, longestFact))?.[1];
  if (inline !== undefined) reading.facts.status ??= fact(inline);
  let others: MarkdownLine[] = [];
  for (const line of section.body) {
    const said = fact(plainText(line.text));
    if (said !== null && reading.facts.status === null && line.text.length < longestFact) {
      reading.facts.status = said;
      reading.add(textOf(others) + line.text, [storyItem]);
      others = [];
    } else others.push(line);
  }
  readFacts({ ...section, body: others }, reading);
}

/** "As a …, I want …, so that …". */
export function readStatement(section: Section, reading: StoryReading): void {
  const { heading, body } = section;
  reading.add(textOf(heading), [storyItem]);
  const end = endOfParagraph(body);
  const said = bodyOf(textOf(body.slice(0, end)));
  const isStated = reading.facts.statement !== null || reading.facts.asA !== null;
  if (isStated || said.length > longestFact * 10 || isPlaceholder(said))
    return readNotes({ ...section, heading: [] }, reading, 'story-notes');
  takeStatement(said, reading);
  reading.add(textOf(body.slice(0, end)), [storyItem]);
  readNotes({ ...section, heading: [], body: body.slice(end) }, reading, 'story-notes');
}

/** "As a", "I want" and "so that" may be paragraphs of their own. */
function endOfParagraph(body: readonly MarkdownLine[]): number {
  let end = 0;
  const last = Math.min(body.length, mostLines);
  for (let at = 0; at <= last; at++) {
    const text = body[at]?.text.trim() ?? '';
    if (text !== '') continue;
    if (!isBlank(body.slice(end, at))) {
      const isDone = /\bso that\b/i.test(textOf(body.slice(end, at)));
      const next = plainText(
        body.slice(at, last).find((line) => line.text.trim() !== '')?.text ?? '',
      );
      end = at;
      if (isDone || !/^[*_]*(?:i want|so that)\b/i.test(next)) return end;
    }
  }
  return last;
}

function takeStatement(said: string, { facts }: StoryReading): void {
  const plain = said
    .replace(/[*_]{2,3}/g, '')
    .replace(/\s+/g, ' ')
    .trim();
  const lower = plain.toLowerCase();
  const want = lower.indexOf('i want');
  const so = lower.indexOf('so that', Math.max(want, 0));
  const isUsual = /^as (?:an?|the)\b/.test(lower) && want > 0 && so > want;
  if (!isUsual) {
    facts.statement = said === '' ? null : said;
    return;
  }
  facts.asA = trimmed(plain.slice(0, want).replace(/^as (?:an?|the) ?/i, ''));
  facts.iWant = trimmed(plain.slice(want + 'i want'.length, so));
  facts.soThat = trimmed(plain.slice(so + 'so that'.length));
}

/** Without the punctuation at the edges. */
function trimmed(part: string): string {
  return part
    .trim()
    .replace(/^[,:]\s*/, '')
    .replace(/[,.;]$/, '');
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
  const said = text
    .trim()
    .replace(/[*_]+$/, '')
    .trim();
  return said === '' ? null : said.slice(0, longestFact);
}
