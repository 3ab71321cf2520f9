import { referencedIf } from '../markdown/character-reference.js';
import { escapedText } from '../markdown/escaped-text.js';
import { markdownLines } from '../markdown/markdown-lines.js';
import { trimmedLines } from './adr-text.js';
import { roleOfHeading } from './heading-roles.js';

/** A text as part of a section, escaped so that it begins no other section. `every`: escapes all its headings. */
export function sectionText(text: string, every = false): string {
  const unix = text.replace(/\r\n?/g, '\n');
  return trimmedLines(
    escapedText(unix, ({ level, title }) => every || level <= 2 || hasRole(title)),
  );
}

/** A text as a heading that has no role in a decision record. */
export function headingText(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return referencedIf(hasRole(line), line);
}

/** A section; '' if it has no text. */
export function section(heading: string, text: string): string {
  return text === '' ? '' : `${heading}\n\n${text}`;
}

/** Whether a text is one section that another one can follow: all its blocks of code are closed. */
export function isOneSection(text: string): boolean {
  const sections = markdownLines(`${text}\n\n# end`).filter(
    ({ heading }) => heading !== undefined && heading.level <= 2,
  );
  return sections.length === 2;
}

function hasRole(title: string): boolean {
  return roleOfHeading(title) !== undefined;
}
