import { type ContextDocument } from '../documents/context-document.js';
import { findEntry } from '../documents/document-entries.js';
import { splitLines, withoutEnd } from '../markdown/markdown-lines.js';
import { printedBody } from './body-text.js';
import { oneLine } from './print-items.js';
import { plainText } from './prose.js';
import { withoutLabels } from './read-head.js';
import { type StoryFacts, factsIn } from './story-facts.js';
import { storyItem } from './story-reading.js';

type Documents = Readonly<{ before: ContextDocument; now: ContextDocument }>;
type Facts = Readonly<{ old: StoryFacts; now: StoryFacts; eol: string }>;

const heading = /^ {0,3}# /;
const labelled = /^(?:[-*+] +)?(?:\*\*|__)?(status|epic|story|title)(?:\*\*|__)?:/i;

/** A piece of the outline with the current facts of the story. */
export function changedFacts(text: string, { before, now }: Documents): string {
  const facts = {
    old: factsIn(findEntry(before, storyItem)),
    now: factsIn(findEntry(now, storyItem)),
    eol: text.includes('\r\n') ? '\r\n' : '\n',
  };
  if (isStatement(text, facts.old)) return changedStatement(text, facts);
  return splitLines(text)
    .map((line) => changedLine(line, facts))
    .join('');
}

function changedLine(line: string, facts: Facts): string {
  const { old, now } = facts;
  const bare = withoutEnd(line);
  if (heading.test(bare)) return changedHeading(line, facts);
  const name = /^ {0,3}##? +status\b/i.test(bare) ? 'status' : nameIn(bare, old);
  if (name === undefined || old[name] === now[name]) return line;
  const changed = replaced(bare, old[name], now[name]);
  const isValue = plainText(bare) === old.status;
  return (isValue ? printedBody(changed) : changed) + line.slice(bare.length);
}

function changedHeading(line: string, { old, now, eol }: Facts): string {
  const bare = withoutEnd(line);
  const isKnown = old.status !== null || now.status === null;
  const status = isKnown ? '' : `${eol}Status: ${oneLine(now.status ?? '')}${eol}`;
  const titled = replaced(bare, old.title, now.title);
  return replaced(titled, old.number, now.number) + (line.slice(bare.length) || eol) + status;
}

type FactName = 'status' | 'epic' | 'title' | 'number';
const labels: Readonly<Record<string, FactName>> = {
  status: 'status',
  epic: 'epic',
  title: 'title',
  story: 'number',
};

function nameIn(bare: string, { status }: StoryFacts): FactName | undefined {
  const label = labels[labelled.exec(bare.trim())?.[1]?.toLowerCase() ?? ''];
  return label ?? (status !== null && plainText(bare) === status ? 'status' : undefined);
}

/** Replaces the last occurrence, because a label may contain the same word. */
function replaced(line: string, old: string | null, now: string | null): string {
  const at = old === null || old === now ? -1 : line.lastIndexOf(old);
  if (at < 0) return line;
  return (
    line.slice(0, at) + (now ?? '').replace(/[\r\n]+/g, ' ') + line.slice(at + (old?.length ?? 0))
  );
}

function isStatement(text: string, { asA, soThat, statement }: StoryFacts): boolean {
  if (statement !== null) return text.trim().replace(/\r\n?/g, '\n') === statement;
  if (asA === null || soThat === null || text.length > 20_000) return false;
  const plain = withoutLabels(text).replace(/\s+/g, ' ');
  return plain.includes(asA) && plain.includes(soThat) && /^\W*as (?:an?|the)\b/i.test(plain);
}

function changedStatement(text: string, { old, now, eol }: Facts): string {
  const parts = ['asA', 'iWant', 'soThat', 'statement'] as const;
  if (parts.every((name) => old[name] === now[name])) return text;
  const blank = /(\s*)$/.exec(text.slice(-200))?.[1] ?? '';
  return printStatement(now).trimEnd().replace(/\r?\n/g, eol) + blank;
}

/** A text after a blank line would not be part of the statement. */
function withoutBlankLines(text: string): string {
  const lines = text.split(/\r\n|\r|\n/);
  return lines.filter((line) => line.trim() !== '').join('\n');
}

/** The sentence of a story in the usual form; empty if the story has none. */
export function printStatement({ asA, iWant, soThat, statement }: StoryFacts): string {
  if (statement !== null) return `${printedBody(withoutBlankLines(statement))}\n`;
  if (asA === null) return '';
  const article = /^[aeiou]/i.test(asA) ? 'an' : 'a';
  return `**As ${article}** ${oneLine(asA)},\n**I want** ${oneLine(iWant ?? '')},\n**so that** ${oneLine(soThat ?? '')}.\n`;
}
