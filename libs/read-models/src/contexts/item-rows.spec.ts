import { readItems } from './item-rows.js';

/** As the database answers them, each with so many characters. */
const rowsOf = (count: number, characters: number) =>
  Array.from({ length: count }, (_, at) => ({
    ...{ kind: 'step-output', key: `s-${at}`, from_version: at + 1, state: '{}', sources: null },
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

describe('the items of many rows', () => {
  it('are parsed while others have their turns: twice as many for twice as much', async () => {
    const rows = rowsOf(80, 100_000);
    const once = await turnsDuring(() => readItems(rows.slice(0, 40)));
    const twice = await turnsDuring(() => readItems(rows));
    expect(once).toBeGreaterThanOrEqual(6);
    expect(twice).toBeGreaterThanOrEqual(2 * once - 1);
  });

  it('are those of the rows', async () => {
    const items = await readItems(rowsOf(3, 1));
    expect(items.map(({ key, body }) => [key, body])).toEqual([
      ['s-0', 'x'],
      ['s-1', 'x'],
      ['s-2', 'x'],
    ]);
  });
});
