import { type ContextDocument } from '../documents/context-document.js';
import { findEntry } from '../documents/document-entries.js';
import { splitLines, withoutEnd } from '../markdown/markdown-lines.js';
import { plainText } from './prose.js';
import { withoutLabels } from './read-head.js';
import { type StoryFacts, factsIn } from './story-facts.js';
import { storyItem } from './story-reading.js';

type Documents = Readonly<{ before: ContextDocument; now: ContextDocument }>;
type Facts = Readonly<{ old: StoryFacts; said: StoryFacts; eol: string }>;

const heading = /^ {0,3}# /;
const labelled = /^(?:[-*+] +)?(?:\*\*|__)?(status|epic|story|title)(?:\*\*|__)?:/i;

/** A piece of the outline with what the story says of itself now. */
export function changedFacts(text: string, { before, now }: Documents): string {
  const facts = {
    old: factsIn(findEntry(before, storyItem)),
    said: factsIn(findEntry(now, storyItem)),
    eol: text.includes('\r\n') ? '\r\n' : '\n',
  };
  if (isStatement(text, facts.old)) return changedStatement(text, facts);
  return splitLines(text)
    .map((line) => changedLine(line, facts))
    .join('');
}

function changedLine(line: string, { old, said, eol }: Facts): string {
  const bare = withoutEnd(line);
  if (heading.test(bare)) {
    const isNew = old.status === null && said.status !== null;
    const status = isNew ? `${eol}Status: ${said.status}${eol}` : '';
    const titled = replaced(bare, old.title, said.title);
    return replaced(titled, old.number, said.number) + (line.slice(bare.length) || eol) + status;
  }
  const name = /^ {0,3}##? +status\b/i.test(bare) ? 'status' : nameIn(bare, old);
  if (name === undefined || old[name] === said[name]) return line;
  return replaced(bare, old[name], said[name]) + line.slice(bare.length);
}

type Named = 'status' | 'epic' | 'title' | 'number';
const labels: Readonly<Record<string, Named>> = {
  status: 'status',
  epic: 'epic',
  title: 'title',
  story: 'number',
};

function nameIn(bare: string, { status }: StoryFacts): Named | undefined {
  const label = labels[labelled.exec(bare.trim())?.[1]?.toLowerCase() ?? ''];
  return label ?? (status !== null && plainText(bare) === status ? 'status' : undefined);
}

/** Replaces the last occurrence, because a label may hold the same word. */
function replaced(line: string, old: string | null, said: string | null): string {
  const at = old === null || old === said ? -1 : line.lastIndexOf(old);
  if (at < 0) return line;
  return (
    line.slice(0, at) + (said ?? '').replace(/[\r\n]+/g, ' ') + line.slice(at + (old?.length ?? 0))
  );
}

function isStatement(text: string, { asA, soThat, statement }: StoryFacts): boolean {
  if (statement !== null) return text.trim().replace(/\r\n?/g, '\n') === statement;
  if (asA === null || soThat === null || text.length > 20_000) return false;
  const plain = withoutLabels(text).replace(/\s+/g, ' ');
  return plain.includes(asA) && plain.includes(soThat) && /^\W*as (?:an?|the)\b/i.test(plain);
}

function changedStatement(text: string, { old, said, eol }: Facts): string {
  const parts = ['asA', 'iWant', 'soThat', 'statement'] as const;
  if (parts.every((name) => old[name] === said[name])) return text;
  const blank = /(\s*)$/.exec(text.slice(-200))?.[1] ?? '';
  return printStatement(said).trimEnd().replace(/\r?\n/g, eol) + blank;
}

/** The sentence of a story in the usual form; empty if it has none. */
export function printStatement({ asA, iWant, soThat, statement }: StoryFacts): string {
  if (statement !== null) return `${statement}\n`;
  if (asA === null) return '';
  const article = /^[aeiou]/i.test(asA) ? 'an' : 'a';
  return `**As ${article}** ${asA},\n**I want** ${iWant ?? ''},\n**so that** ${soThat ?? ''}.\n`;
}
