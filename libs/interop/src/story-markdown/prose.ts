import { unreferenced } from '../markdown/character-reference.js';
import { unescapedText } from '../markdown/escaped-text.js';
import { listItem } from '../markdown/list-item.js';

const comment = /^<!--[^>]*-->$/;
const placeholder = /^[_*\s]*(?:to be (?:filled|completed|populated|added|determined)|tbd\b)/i;
const template = /^\{\{[^{}]*\}\}$/;
const ruler = /^(?:-{3,}|\*{3,}|_{3,})$/;
const longestPlaceholder = 200;

/**
 * Whether a text has no content yet: only rules, comments of a template and placeholders such as "To be filled by dev
 * agent".
 */
export function isPlaceholder(text: string): boolean {
  const lines = text.trim().split(/\r\n|\r|\n/);
  return lines.every((line) => {
    const content = line.trim();
    return (
      content === '' ||
      ruler.test(content) ||
      comment.test(content) ||
      (content.length < longestPlaceholder && (placeholder.test(content) || template.test(content)))
    );
  });
}

/** A text as a field of a record: a list if it is a list of single lines, the text otherwise. */
export function proseOf(text: string): string | readonly string[] {
  const lines = text.split(/\r\n|\r|\n/).filter((line) => line.trim() !== '');
  const items = lines.map((line) => listItem(line));
  const isList = items.every(
    (item) => item && item.indent === '' && item.check === undefined && item.marker === '-',
  );
  if (!isList || lines.length > 1_000) return unescapedText(unreferenced(bodyOf(text)));
  return items.map((item) => item?.content.trim() ?? '').filter((content) => content !== '');
}

/** A text without blank lines at both ends, with LF as line ends. */
export function bodyOf(text: string): string {
  const unix = text.replace(/\r\n?/g, '\n');
  const lines = unix.split('\n');
  let [start, end] = [0, lines.length];
  while (start < end && lines[start]?.trim() === '') start++;
  while (end > start && lines[end - 1]?.trim() === '') end--;
  return lines.slice(start, end).join('\n');
}

/** A short text without the emphasis around it. */
export function plainText(text: string): string {
  const plain = text.trim();
  const [bold = ''] = /^[*_`]{1,3}/.exec(plain) ?? [];
  const isWrapped = bold !== '' && plain.endsWith(bold) && plain.length > 2 * bold.length;
  return isWrapped ? plain.slice(bold.length, -bold.length).trim() : plain;
}
