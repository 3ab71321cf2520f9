/**
 * The known name that a writer probably meant: equal except for case, `_` and `-`, or with at most two wrong letters.
 */
export function closest(name: string, known: readonly string[]): string | undefined {
  const plain = plainName(name);
  const same = known.find((each) => plainName(each) === plain);
  if (same !== undefined || plain.length > 32) return same;
  const near = known
    .map((each) => ({ each, distance: distanceOf(plain, plainName(each)) }))
    .filter(({ each, distance }) => distance <= Math.min(2, Math.floor(each.length / 3)))
    .sort((left, right) => left.distance - right.distance);
  return near[0]?.each;
}

function plainName(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9]/g, '').toLowerCase();
}

/** The number of letters to add, remove or replace (Levenshtein distance). */
function distanceOf(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, at) => at);
  for (const [n, letter] of Array.from(left).entries())
    row = nextRow(row, { letter, right, first: n + 1 });
  return row.at(-1) ?? 0;
}

function nextRow(
  above: readonly number[],
  { letter, right, first }: Readonly<{ letter: string; right: string; first: number }>,
): number[] {
  const row = [first];
  for (const [at, other] of Array.from(right).entries())
    row.push(
      Math.min(
        (above[at + 1] ?? 0) + 1,
        (row[at] ?? 0) + 1,
        (above[at] ?? 0) + (letter === other ? 0 : 1),
      ),
    );
  return row;
}
