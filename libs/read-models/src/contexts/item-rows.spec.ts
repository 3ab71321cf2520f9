import { readRows, toItem } from './item-rows.js';

/** As the database answers them, each with so many characters. */
const rowsOf = (count: number, characters: number) =>
  Array.from({ length: count }, (_, at) => ({
    kind: 'step-output',
    key: `s-${at}`,
    from_version: at + 1,
    state: '{}',
    sources: null,
    body: JSON.stringify('x'.repeat(characters)),
  }));

/** How often others had their turn before the work was done. */
const turnsDuring = async (work: () => Promise<unknown>) => {
  let turns = 0;
  let immediate = setImmediate(function count() {
    turns++;
    immediate = setImmediate(count);
  });
  await work();
  clearImmediate(immediate);
  return turns;
};

function workOneMs(): void {
  const end = performance.now() + 1;
  while (performance.now() < end);
}

describe('many rows', () => {
  it('are parsed while others have their turns', async () => {
    // A hundred rows of a millisecond are several slices of ten.
    const turns = await turnsDuring(() => readRows(rowsOf(100, 1), workOneMs));
    expect(turns).toBeGreaterThanOrEqual(5);
  });

  it('become what is made of each', async () => {
    const items = await readRows(rowsOf(3, 1), toItem);
    expect(items.map(({ key, body }) => [key, body])).toEqual([
      ['s-0', 'x'],
      ['s-1', 'x'],
      ['s-2', 'x'],
    ]);
  });
});
