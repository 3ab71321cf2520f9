/** An unchanged, removed or added line. */
export type ComparedLine = Readonly<{ change: ' ' | '-' | '+'; line: string }>;

/** With more pairs of lines, the middle counts as completely removed and added. */
const maxPairs = 4_000_000;

/** Compares two texts by line; the result has the fewest possible changed lines. */
export function compareLines(
  before: readonly string[],
  after: readonly string[],
): readonly ComparedLine[] {
  const start = sharedStart(before, after);
  const end = sharedStart(before.slice(start).reverse(), after.slice(start).reverse());
  const [removed, added] = [
    before.slice(start, before.length - end),
    after.slice(start, after.length - end),
  ];
  return [
    ...marked(' ', before.slice(0, start)),
    ...compareMiddle(removed, added),
    ...marked(' ', before.slice(before.length - end)),
  ];
}

function sharedStart(left: readonly string[], right: readonly string[]): number {
  const limit = Math.min(left.length, right.length);
  let at = 0;
  while (at < limit && left[at] === right[at]) at++;
  return at;
}

function compareMiddle(before: readonly string[], after: readonly string[]): ComparedLine[] {
  if (before.length * after.length > maxPairs)
    return [...marked('-', before), ...marked('+', after)];
  const common = commonLengths(before, after);
  const lines: ComparedLine[] = [];
  let [at, to] = [0, 0];
  while (at < before.length && to < after.length) {
    const change = changeAt(common, { at, to, same: before[at] === after[to] });
    lines.push({ change, line: change === '+' ? lineAt(after, to) : lineAt(before, at) });
    at += change === '+' ? 0 : 1;
    to += change === '-' ? 0 : 1;
  }
  return [...lines, ...marked('-', before.slice(at)), ...marked('+', after.slice(to))];
}

function lineAt(lines: readonly string[], at: number): string {
  return lines[at] ?? '';
}

function changeAt(
  common: readonly Uint32Array[],
  { at, to, same }: Readonly<{ at: number; to: number; same: boolean }>,
): ComparedLine['change'] {
  if (same) return ' ';
  return lengthAt(common, at + 1, to) >= lengthAt(common, at, to + 1) ? '-' : '+';
}

/** The length of the longest common subsequence after each pair of indexes. */
function commonLengths(
  before: readonly string[],
  after: readonly string[],
): readonly Uint32Array[] {
  const rows = Array.from({ length: before.length + 1 }, () => new Uint32Array(after.length + 1));
  for (let at = before.length - 1; at >= 0; at--)
    for (let to = after.length - 1; to >= 0; to--) {
      const row = rows[at];
      if (!row) continue;
      row[to] =
        before[at] === after[to]
          ? lengthAt(rows, at + 1, to + 1) + 1
          : Math.max(lengthAt(rows, at + 1, to), lengthAt(rows, at, to + 1));
    }
  return rows;
}

function lengthAt(rows: readonly Uint32Array[], at: number, to: number): number {
  return rows[at]?.[to] ?? 0;
}

function marked(change: ComparedLine['change'], lines: readonly string[]): ComparedLine[] {
  return lines.map((line) => ({ change, line }));
}
