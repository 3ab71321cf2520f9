import { type LineRank } from './line-ranks.js';
import { type Reading } from './read-value.js';
import { clip } from './shown.js';

const longestLine = 200;
const startLength = 40;
const ranks: readonly LineRank[] = ['verdict', 'error', 'field', 'item', 'other', 'heading'];

/** By the beginning of a line it is known whether a text shows it: the text may have it clipped. */
export function startOfLine(line: string): string {
  return line.slice(0, startLength);
}

/** Lines of a value of whose beginnings none is shown, the most telling ones that fit into `room` characters, in the order of the value. */
export function linesBeyond(read: Reading, shown: ReadonlySet<string>, room: number): string {
  let left = room;
  const lines: Readonly<{ at: number; line: string }>[] = [];
  const seen = new Set<string>();
  for (const rank of ranks)
    for (const { at, text: whole } of read.ranks.of(rank)) {
      if (Math.min(whole.length, longestLine) + 1 > left) continue;
      const line = clip(whole, longestLine);
      if (line.length + 1 > left || seen.has(line) || shown.has(startOfLine(line))) continue;
      seen.add(line);
      lines.push({ at, line });
      left -= line.length + 1;
    }
  return lines
    .sort((one, other) => one.at - other.at)
    .map(({ line }) => line)
    .join('\n');
}
