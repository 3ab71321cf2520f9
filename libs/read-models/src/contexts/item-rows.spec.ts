import { readRows, toItem } from './item-rows.js';

/** Rows as the database returns them; `characters` is the length of each body. */
const rowsOf = (count: number, characters: number) =>
  Array.from({ length: count }, (_, at) => ({
    kind: 'step-output',
    key: `s-${at}`,
    from_version: at + 1,
    state: '{}',
    sources: null,
    body: JSON.stringify('x'.repeat(characters)),
  }));

/** How often the event loop ran other work before `work` completed. */
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

describe('readRows', () => {
  it('lets other work run while it parses many rows', async () => {
    // A hundred rows of 1 ms each take several slices of 10 ms.
    const turns = await turnsDuring(() => readRows(rowsOf(100, 1), workOneMs));
    expect(turns).toBeGreaterThanOrEqual(5);
  });

  it('returns the result for each row', async () => {
    const items = await readRows(rowsOf(3, 1), toItem);
    expect(items.map(({ key, body }) => [key, body])).toEqual([
      ['s-0', 'x'],
      ['s-1', 'x'],
      ['s-2', 'x'],
    ]);
  });
});
