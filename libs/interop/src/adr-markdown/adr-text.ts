import { isVisible } from '#event-sourcing';

import { unreferenced } from '../markdown/character-reference.js';
import { unescapedText } from '../markdown/escaped-text.js';
import { type AdrPart } from './adr-document.js';

const optional =
  /<!--\s*(?:This is an optional element|These are optional elements)[^>]{0,200}-->/gi;

/** The text below the heading of a part, without blank lines around it and without comments of the template. */
export function bodyOf({ lines }: AdrPart): string {
  const text = lines.map((line) => line.text).join('');
  return trimmedLines(plainText(text));
}

/** A text with LF as line ends, in which escaped headings are unescaped. */
export function plainText(text: string): string {
  return unescapedText(text.replace(/\r\n?/g, '\n').replace(optional, ''));
}

export function trimmedLines(text: string): string {
  const lines = text.split('\n');
  let start = 0;
  while (start < lines.length && lines[start]?.trim() === '') start++;
  return lines.slice(start).join('\n').trimEnd();
}

/** The text of a section and its heading. */
export type LabelledText = Readonly<{ label: string; text: string }>;

/** Joins texts, each but the first under its label in bold type; undefined if none has a visible character. */
export function joinedTexts(texts: readonly LabelledText[]): string | undefined {
  const visible = texts.filter(({ text }) => isVisible(text));
  if (visible.length === 0) return undefined;
  return visible
    .map(({ label, text }, at) => (at === 0 || label === '' ? text : `**${label}**\n\n${text}`))
    .join('\n\n');
}

/** A title without links and emphasis, on one line. */
export function plainTitle(title: string): string {
  if (title.length > 2_000) return title;
  return unreferenced(title)
    .replace(/\[([^\][]{1,400})\]\([^()]{0,400}\)/g, '$1')
    .replaceAll(/\*\*|__/g, '')
    .trim();
}

/** A title without the number at its beginning: `ADR-0007: Use PostgreSQL` and `7. Use PostgreSQL`. */
export function withoutNumber(title: string): string {
  const named = title.replace(
    /^(?:[A-Za-z]{2,10}[-_ #]{0,3}\d{1,6}|\d{1,6})(?:[.:)]| [-–—])[ \t]+/,
    '',
  );
  return named === '' ? title : named;
}
