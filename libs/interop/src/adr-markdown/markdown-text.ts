import { markdownLines } from '../markdown/markdown-lines.js';
import { trimmedLines } from './adr-text.js';
import { roleOfHeading } from './heading-roles.js';

const fence = /^( {0,3})(?=`{3}|~{3})/;

/**
 * A text as part of a section, so that nothing in it begins another one: a backslash stands before headings and before fences of
 * code that nothing closes. `every`: headings of any level.
 */
export function sectionText(text: string, every = false): string {
  const isOpen = markdownLines(`${text}\n\n# end`).at(-1)?.heading === undefined;
  const closed = isOpen ? text.replaceAll(new RegExp(fence, 'gm'), '$1\\') : text;
  const lines = markdownLines(closed);
  let isUnderline = false;
  const escaped = lines.map((line) => {
    const starts =
      line.heading && (every || line.heading.level <= 2 || hasRole(line.heading.title));
    const isAtx = /^ {0,3}#/.test(line.text);
    const escape = isUnderline || (starts === true && isAtx);
    isUnderline = starts === true && !isAtx;
    return escape ? line.text.replace(/^( {0,3})/, '$1\\') : line.text;
  });
  return trimmedLines(escaped.join(''));
}

/** A section; '' if it would have no text. */
export function section(heading: string, text: string): string {
  return text === '' ? '' : `${heading}\n\n${text}`;
}

/** Whether a text is one section, behind which another one can begin: all its blocks of code end in it. */
export function isOneSection(text: string): boolean {
  const sections = markdownLines(`${text}\n\n# end`).filter(
    ({ heading }) => heading !== undefined && heading.level <= 2,
  );
  return sections.length === 2;
}

function hasRole(title: string): boolean {
  return roleOfHeading(title) !== undefined;
}
