import { type LineRank } from './line-ranks.js';
import { type Reading } from './read-value.js';
import { clip } from './clipped-text.js';

const longestLine = 200;
const startLength = 40;

/** Ranks of results and of open points. */
export const resultRanks: readonly LineRank[] = ['outcome', 'verdict', 'open'];
export const furtherRanks: readonly LineRank[] = ['error', 'field', 'item', 'other', 'heading'];

/** The beginning of a line, by which a text is searched for the line: the text may contain it clipped. */
export function startOfLine(line: string): string {
  return line.slice(0, startLength);
}

type LinesBeyond = Readonly<{
  isShown: (line: string, rank: LineRank) => boolean;
  /** Characters. */
  room: number;
  /** Lines of the first rank are added first. */
  ranks: readonly LineRank[];
}>;

/** Lines of a value that are not shown: the most important ones that fit, in the order of the value. */
export function linesBeyond(read: Reading, { isShown, room, ranks }: LinesBeyond): string {
  let left = room;
  const lines: Readonly<{ at: number; line: string }>[] = [];
  const added = new Set<string>();
  for (const rank of ranks)
    for (const { at, text: whole } of read.ranks.of(rank)) {
      if (Math.min(whole.length, longestLine) + 1 > left) continue;
      const line = clip(whole, longestLine);
      if (line.length + 1 > left || added.has(line) || isShown(line, rank)) continue;
      added.add(line);
      lines.push({ at, line });
      left -= line.length + 1;
    }
  return lines
    .sort((one, other) => one.at - other.at)
    .map(({ line }) => line)
    .join('\n');
}
