import { type NamedText } from '../documents/document-format.js';
import { type AdrFiles } from './adr-files.js';
import { type AdrRecord, readRecord } from './adr-record.js';
import { statedStatus } from './adr-status.js';
import { type Decision } from './written-decision.js';

/** The word for a status in lower case; for a superseded decision with a link to the one that replaced it. */
export function statusPhrase(decision: Decision, from: string, files: AdrFiles): string {
  const { status, supersededBy } = decision;
  if (status === 'superseded' && supersededBy !== undefined)
    return `superseded by ${files.link(from, supersededBy)}`;
  return words[status];
}

/** The document with the current status of its decision, in the style of the old status. */
export function rewriteStatus(document: NamedText, decision: Decision, files: AdrFiles): string {
  const { name, text } = document;
  const record = readRecord(document);
  const phrase = statusPhrase(decision, name, files);
  if (!record.status) return withStatus(text, record, phrase);
  const { at, length } = record.status;
  const region = text.slice(at, at + length);
  const word = statedStatus(region).word ?? { at: 0, length };
  const start = at + word.at;
  const before = text.slice(0, start);
  const lineStart = Math.max(before.lastIndexOf('\n'), before.lastIndexOf('\r')) + 1;
  return [
    before.slice(0, lineStart),
    withSign(before.slice(lineStart), decision.status),
    inCaseOf(text.slice(start, start + word.length), phrase),
    text.slice(start + word.length),
  ].join('');
}

const words: Readonly<Record<Decision['status'], string>> = {
  live: 'accepted',
  pending: 'proposed',
  rejected: 'rejected',
  superseded: 'superseded',
  deprecated: 'deprecated',
};

const signs: Readonly<Record<Decision['status'], string>> = {
  live: '✅',
  pending: '🤔',
  rejected: '❌',
  superseded: '⌛️',
  deprecated: '⌛️',
};
const anySign = /✅|🤔|❌|⌛\uFE0F?/u;

/** Some records show the status as an emoji before its word. */
function withSign(beginning: string, status: Decision['status']): string {
  return beginning.replace(anySign, signs[status]);
}

function inCaseOf(old: string, phrase: string): string {
  const [first = ''] = old;
  const isCapital = first !== first.toLowerCase();
  return isCapital ? phrase.charAt(0).toUpperCase() + phrase.slice(1) : phrase;
}

/** Adds a status to a document without one: in its front matter, or as a section before the others. */
function withStatus(text: string, { divided: { parts } }: AdrRecord, phrase: string): string {
  const end = /\r\n|\n|\r/.exec(text)?.[0] ?? '\n';
  const front = parts.find(({ kind }) => kind === 'front-matter');
  if (front) {
    const at = firstLineEnd(front.text);
    return `${text.slice(0, at)}status: ${phrase}${end}${text.slice(at)}`;
  }
  const section = parts.find(({ kind }) => kind === 'section');
  const at = section?.at ?? text.length;
  const before = text.slice(0, at);
  const apart = before === '' || /[\r\n]$/.test(before) ? '' : end + end;
  const body = `## Status${end}${end}${inCaseOf('S', phrase)}${end}${end}`;
  return `${before}${apart}${body}${text.slice(at)}`;
}

function firstLineEnd(text: string): number {
  const found = /\r\n|\n|\r/.exec(text);
  return found ? found.index + found[0].length : text.length;
}
