import { pagesOf } from './event-pages.js';

describe('pagesOf', () => {
  it.each<[number, number, number, readonly (readonly [number, number])[]]>([
    [1, 1, 1, [[0, 1]]],
    [1, 100, 250, [[0, 100]]],
    [
      100,
      101,
      250,
      [
        [0, 100],
        [100, 200],
      ],
    ],
    [240, 250, 250, [[200, 250]]],
    [240, 400, 250, [[200, 250]]],
    [1, 0, 0, []],
  ])('of the versions %i to %i of %i returns %j', (first, last, newest, pages) => {
    const found = pagesOf(first, last, newest);
    expect(found.map(({ after, until }) => [after, until])).toEqual(pages);
  });
});
