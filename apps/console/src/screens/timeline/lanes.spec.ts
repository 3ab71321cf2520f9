import { Lanes } from './lanes.js';

describe('Lanes', () => {
  it('gives each author a lane, which stays', () => {
    const lanes = new Lanes();
    const first = ['ada', 'bob', 'ada', 'cyd'].map((author) => lanes.laneOf(author));
    expect(first).toEqual([0, 1, 0, 2]);
    expect(lanes.laneOf('bob')).toBe(1);
  });

  it('puts further authors into the last lane', () => {
    const lanes = new Lanes();
    const authors = Array.from({ length: 10 }, (_, nth) => `agent-${nth}`);
    expect(authors.map((author) => lanes.laneOf(author))).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 7, 7]);
  });
});
