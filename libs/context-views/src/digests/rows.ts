import { type Part } from './shapes/index.js';
import { inOneLine } from './clipped-text.js';

/** A member of an object or an element of a list under its name. An element has the name of the list. */
export type Cell = Readonly<{ key: string; text: string }>;

const longestRow = 200;
/** A longer value has a separate line. */
const longestCell = 60;
const severalLines = /[\n\r\u2028\u2029]/;
const holdsJson = /^\s*[[{]/;
/** Characters between two cells, and between a name and its value. */
const separators = 4;

/** The cells of a short object or list without nested objects or lists, if they fit into one line; else undefined. */
export function cellsOf(parts: Iterable<Part>, key: string): readonly Cell[] | undefined {
  const cells: Cell[] = [];
  let length = 0;
  for (const part of parts) {
    const text = cellText(part);
    if (text === undefined) return undefined;
    const name = inOneLine(part.label ?? '') || key;
    length += name.length + text.length + separators;
    if (length > longestRow) return undefined;
    if (text !== '') cells.push({ key: name, text });
  }
  return cells.length > 0 ? cells : undefined;
}

function cellText({ value, role }: Part): string | undefined {
  if (value === null) return '';
  if (typeof value === 'object' || role !== undefined) return undefined;
  const text = String(value);
  const isLong = text.length > longestCell || severalLines.test(text) || holdsJson.test(text);
  return isLong ? undefined : inOneLine(text);
}

export function rowOf(cells: readonly Cell[], key: string): string {
  return cells
    .map((cell) => (cell.key === key ? cell.text : `${cell.key}: ${cell.text}`))
    .join(', ');
}
