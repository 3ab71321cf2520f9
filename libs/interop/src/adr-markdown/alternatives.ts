import { type JsonObject, type JsonValue } from '#event-sourcing';

import { unescapedLines } from '../markdown/escaped-text.js';
import { type MarkdownLine, withoutEnd } from '../markdown/markdown-lines.js';
import { plainText, trimmedLines } from './adr-text.js';

type Option = {
  option: string;
  description: string[];
  pros: string[];
  cons: string[];
  neutral: string[];
};

type Argument = 'pros' | 'cons' | 'neutral';

const bullet = /^( {0,3})(?:[-*+]|\d{1,3}[.)])[ \t]+(\S.*)$/;
const argument = /^(?:\*\*|__)?(good|bad|neutral|pro|con|[+-])(?:\*\*|__)?[,:]?[ \t]+(\S.*)$/i;
const argumentHeading = /^\W*(pros?|advantages|benefits|cons?|disadvantages|drawbacks)\W*$/i;

/**
 * Options as entries `{ option, description?, pros?, cons?, neutral? }`: from the list of a section like "Considered
 * Options", and from headings with arguments below them, as in "Pros and Cons of the Options". Text that belongs to no
 * option is an entry `{ text }`, so that the entries contain the complete sections.
 */
export class Alternatives {
  readonly #options = new Map<string, Option>();
  readonly #texts: string[] = [];
  #current: Option | undefined;
  #argument: Argument | undefined;
  #last: string[] | undefined;
  #underHeading = false;

  take(lines: readonly MarkdownLine[]): void {
    this.#current = undefined;
    this.#underHeading = false;
    this.#argument = undefined;
    this.#last = undefined;
    for (const line of lines) this.#takeLine(line);
  }

  /** The entries; undefined if there are none. */
  entries(): JsonValue | undefined {
    const texts = joined(this.#texts);
    const options = [...this.#options.values()].map(entryOf);
    const all: JsonObject[] = texts === '' ? options : [...options, { text: texts }];
    return all.length === 0 ? undefined : all;
  }

  #takeLine(line: MarkdownLine): void {
    const text = withoutEnd(line.text);
    if (line.heading) {
      this.#takeHeading(line.heading.title, text);
      return;
    }
    const item = line.isCode ? null : bullet.exec(text);
    if (item?.[1]?.length === 0) this.#takeItem(item[2] ?? '');
    else this.#takeText(text, line.isCode);
  }

  #takeHeading(title: string, text: string): void {
    const kind = this.#current && kindOfHeading(title);
    if (kind) this.#argument = kind;
    else if (title.trim() === '') this.#takeText(text, true);
    else this.#begin(title);
    this.#underHeading = true;
  }

  #begin(title: string): void {
    const name = title.trim();
    const key =
      name
        .toLowerCase()
        .replace(/[^\p{L}\p{N}]+/gu, ' ')
        .trim() || name;
    const known = this.#options.get(key);
    this.#current = known ?? { option: name, description: [], pros: [], cons: [], neutral: [] };
    this.#options.set(key, this.#current);
    this.#argument = undefined;
    this.#last = undefined;
  }

  #takeItem(text: string): void {
    if (!this.#underHeading) {
      this.#begin(text);
      return;
    }
    const kind = this.#argument ?? kindOfArgument(text);
    const list = kind && this.#current?.[kind];
    this.#last = list;
    if (list) list.push(text);
    else this.#current?.description.push(`* ${text}`);
  }

  #takeText(text: string, isCode: boolean): void {
    const kind = this.#current && this.#underHeading && !isCode ? kindOfHeading(text) : undefined;
    if (kind) this.#argument = kind;
    else if (!this.#continues(text)) this.#takeParagraph(text, isCode);
  }

  /** Adds an indented line to the item of the list above it. */
  #continues(text: string): boolean {
    const last = this.#last?.at(-1);
    if (last === undefined || (text.trim() !== '' && !/^[ \t]/.test(text))) return false;
    this.#last?.splice(-1, 1, `${last}\n${text}`);
    return true;
  }

  /** A paragraph at the margin ends a list of options, because it is about all of them. */
  #takeParagraph(text: string, isCode: boolean): void {
    const isApart = !this.#underHeading && !isCode && /^\S/.test(text) && this.#current;
    if (isApart && this.#isAfterBlank()) this.#current = undefined;
    this.#last = undefined;
    (this.#current?.description ?? this.#texts).push(text);
  }

  #isAfterBlank(): boolean {
    return this.#current?.description.at(-1)?.trim() === '';
  }
}

function kindOfHeading(text: string): Argument | undefined {
  const word = text.length < 40 ? argumentHeading.exec(text)?.[1]?.toLowerCase() : undefined;
  if (word === undefined) return undefined;
  return /^(?:pros?|advantages|benefits)$/.test(word) ? 'pros' : 'cons';
}

/** Whether a line of a list argues for an option, against it, or neither; undefined if it is not an argument. */
export function kindOfArgument(text: string): Argument | undefined {
  const word = argument.exec(text.slice(0, 40))?.[1]?.toLowerCase();
  if (word === undefined) return undefined;
  if (['good', 'pro', '+'].includes(word)) return 'pros';
  return ['bad', 'con', '-'].includes(word) ? 'cons' : 'neutral';
}

function entryOf({ option, description, pros, cons, neutral }: Option): JsonObject {
  const text = joined(description);
  return {
    option,
    ...(text !== '' && { description: text }),
    ...(pros.length > 0 && { pros: pros.map(argumentText) }),
    ...(neutral.length > 0 && { neutral: neutral.map(argumentText) }),
    ...(cons.length > 0 && { cons: cons.map(argumentText) }),
  };
}

function argumentText(argumentLines: string): string {
  return unescapedLines(argumentLines.trimEnd());
}

function joined(lines: readonly string[]): string {
  return trimmedLines(plainText(lines.join('\n')));
}
