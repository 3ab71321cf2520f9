import { type JsonObject, isVisible } from '#event-sourcing';

import { withoutEnd } from '../markdown/markdown-lines.js';
import { type AdrPart, placedLines } from './adr-document.js';
import {
  type AdrLink,
  type AdrRelation,
  linksIn,
  referencesIn,
  relationOfKey,
} from './adr-links.js';
import { dayIn, statedId } from './adr-names.js';
import { type AdrStatus, statedStatus } from './adr-status.js';
import { bodyOf, plainText, plainTitle, trimmedLines } from './adr-text.js';
import { type MetadataEntry, plainValue } from './front-matter.js';

/**
 * A status with its location in the document: `at` and `length` of the text that a new status replaces. `isKnown`:
 * whether it has a known word for a status.
 */
export type LocatedStatus = Readonly<{
  status: AdrStatus;
  isKnown: boolean;
  text: string;
  at: number;
  length: number;
  line: number;
}>;

type Line = Readonly<{ text: string; at: number; line: number }>;

const keyed =
  /^[ \t]*([-*+][ \t]+)?(?:\*\*|__)?([A-Za-z][\w -]{0,40}?)(?:\*\*|__)?[ \t]*:(?:\*\*|__)?[ \t]*/;
const plainKeys: ReadonlySet<string> = new Set([
  'status',
  'date',
  'deciders',
  'decider',
  'decision makers',
  'decision-makers',
  'author',
  'authors',
  'technical story',
  'tags',
  'tag',
  'issue',
  'ticket',
  'consulted',
  'informed',
  'category',
  'last updated',
  'updated',
  'owner',
  'owners',
  'superseded by',
  'supersedes',
]);
/** Names of the member that lists the deciders. */
export const deciderKeys: ReadonlySet<string> = new Set([
  'deciders',
  'decider',
  'decision makers',
  'decision maker',
  'authors',
  'author',
  'decided by',
]);

/** The metadata of a record: status, date, people, links to other records, and other members unchanged. */
export class AdrMetadata {
  status: LocatedStatus | undefined;
  date: string | undefined;
  id: string | undefined;
  readonly deciders: string[] = [];
  readonly links: AdrLink[] = [];
  readonly #details = new Map<string, string | string[]>();

  get details(): JsonObject {
    return Object.fromEntries(this.#details);
  }

  takeEntries(entries: readonly MetadataEntry[]): void {
    for (const entry of entries) this.#takeEntry(entry);
  }

  /** Takes lines like `* Status: accepted` and returns the remaining text. */
  takeIntroduction(part: AdrPart): string {
    const rest: string[] = [];
    for (const { text, at, number, isCode } of placedLines(part)) {
      const bare = withoutEnd(text);
      const found = isCode || bare.length > 2_000 ? null : keyed.exec(bare);
      if (!found || !this.#takeKeyed(found, { text: bare, at, line: number })) rest.push(text);
    }
    return trimmedLines(plainText(rest.join('')));
  }

  /** The first visible line is the status; later ones may link to other records. */
  takeStatus(part: AdrPart): void {
    const lines = placedLines(part).filter(({ text }) => isVisibleText(text));
    const [first] = lines;
    if (first)
      this.#takeStatusLine({ text: withoutEnd(first.text), at: first.at, line: first.number });
    for (const { text, number } of lines.slice(1)) this.links.push(...linksIn(text, number));
    if (lines.length > 1 || this.#saysMore()) this.#addDetail('status', bodyOf(part));
  }

  /** Takes a section that consists of one value. */
  takeText(key: 'date' | 'deciders', part: AdrPart): void {
    const text = bodyOf(part);
    const values = text.split('\n').map((line) => line.replace(/^[ \t]*[-*+][ \t]+/, '').trim());
    const place = { at: part.at, length: 0, line: part.line };
    this.#takeEntry({ key, values: values.filter((each) => each !== ''), ...place });
  }

  /** Takes the links of a section. Returns whether every line was understood as a link. */
  takeLinks(part: AdrPart): boolean {
    const lines = part.lines.filter(({ text }) => isVisibleText(text));
    const links = lines.map(({ text, number }) => linksIn(text, number));
    this.links.push(...links.flat());
    const isLink = (text: string) =>
      /^[-*+] [A-Z][a-z]+ (?:[a-z]+ )?\[[^\]]*\]\([^)]*\)$/.test(text.trim());
    return lines.every(({ text }, at) => links[at]?.length === 1 && isLink(text));
  }

  #takeKeyed([start, mark, key = '']: RegExpExecArray, line: Line): boolean {
    const name = key.toLowerCase().trim();
    const value = line.text.slice(start.length).trimEnd();
    const isMember = plainKeys.has(name) || (mark !== undefined && value.length < 200);
    if (!isMember || start.length > line.text.length) return false;
    const place = { at: line.at + start.length, length: value.length, line: line.line };
    this.#takeEntry({ key: name, values: value === '' ? [] : [plainValue(value)], ...place });
    return true;
  }

  #takeEntry(entry: MetadataEntry): void {
    const { key, values } = entry;
    const text = values.join(', ');
    const name = key.replaceAll(/[_-]+/g, ' ');
    if (name === 'status') this.#takeStatusEntry(entry, text);
    else if (name === 'date') this.#takeDate(text);
    else if (deciderKeys.has(name)) this.#takeDeciders(key, values);
    else if (name === 'id' && statedId(text) !== undefined) this.id = text;
    else this.#takeOther(entry, text);
  }

  #takeOther(entry: MetadataEntry, text: string): void {
    const { key, values } = entry;
    const relation = relationOfKey(key);
    if (relation) this.#takeRelation(relation, entry);
    else if (values.length > 0) this.#addDetail(key, values.length === 1 ? text : [...values]);
  }

  #takeRelation(relation: AdrRelation, { key, values, line }: MetadataEntry): void {
    const links = values.flatMap((value) => referencesOrName(value, relation, line));
    this.links.push(...links);
    if (links.length === 0 && values.length > 0) this.#addDetail(key, values.join(', '));
  }

  #takeStatusEntry({ at, length, line }: MetadataEntry, text: string): void {
    if (text === '') return;
    const { word, status } = statedStatus(text);
    this.status ??= { status, isKnown: word !== undefined, text, at, length, line };
    this.links.push(...linksIn(text, line));
    if (this.#saysMore()) this.#addDetail('status', text);
  }

  #takeStatusLine({ text, at, line }: Line): void {
    const { status, word } = statedStatus(text);
    const start = word?.at ?? text.length - text.trimStart().length;
    const length = word?.length ?? text.trim().length;
    const place = { at: at + start, length, line };
    this.status ??= { status, isKnown: word !== undefined, text: text.trim(), ...place };
    this.links.push(...linksIn(text, line));
  }

  /** Whether the status has words other than the status itself and its links. */
  #saysMore(): boolean {
    if (!this.status) return false;
    const { text, isKnown, status } = this.status;
    const rest = plainTitle(text.replaceAll(/\[[^\][]{1,200}\]\([^()]{1,400}\)/g, ''));
    return !isKnown || (rest.match(/\p{L}+/gu) ?? []).length > (status === 'superseded' ? 2 : 1);
  }

  #takeDate(text: string): void {
    const day = dayIn(text);
    this.date ??= day;
    if (day === undefined && isVisible(text)) this.#addDetail('date', text);
    else if (text.trim().length > 20) this.#addDetail('date', text);
  }

  #takeDeciders(key: string, values: readonly string[]): void {
    const names = values
      .filter((value) => value.length < 2_000 && !/^list everyone/i.test(value))
      .flatMap((value) => plainTitle(value).split(/[,;]|\band\b|&/))
      .map((each) => each.trim().replace(/^@/, ''))
      .filter((each) => isVisible(each));
    this.deciders.push(...names);
    if (names.length > 0) this.#addDetail(key, names);
  }

  #addDetail(key: string, value: string | string[]): void {
    if (!this.#details.has(key)) this.#details.set(key, value);
  }
}

/** Whether a line has words and is not only a comment. */
function isVisibleText(text: string): boolean {
  return isVisible(text) && !/^\s*<!--.*-->\s*$/.test(text.slice(0, 2_000));
}

function referencesOrName(value: string, relation: AdrRelation, line: number): AdrLink[] {
  const links = referencesIn(value, relation, line);
  if (links.length > 0 || !/^[\w./-]{3,200}$/.test(value)) return links;
  return [{ relation, label: value, target: value, line }];
}
