import { START } from '@eventstore/db-client';

import { type Position } from '#event-sourcing';

import { asPosition, comparePositions, toClientPosition } from './position.js';

const at = (commit: bigint, prepare = commit) => asPosition({ commit, prepare });
const text = (position: string) => position as Position;

describe('asPosition', () => {
  it('preserves 64 bits, unlike a number', () => {
    const highest = { commit: 2n ** 63n - 1n, prepare: 2n ** 62n + 1n };
    expect(toClientPosition(asPosition(highest))).toEqual(highest);
    expect(toClientPosition('start')).toBe(START);
  });

  it('orders positions numerically by commit, then by prepare', () => {
    const ordered = ['start', at(0n), at(9n), at(10n, 9n), at(10n), at(2n ** 63n - 1n)] as const;
    for (const [n, left] of ordered.entries())
      for (const [m, right] of ordered.entries())
        expect(Math.sign(comparePositions(left, right))).toBe(Math.sign(n - m));
  });

  it.each(['', '12', '1/', '01/1', '1/-1', 'C:1/P:1', '1/2/3', '1/1 ', '1/2', `${2n ** 63n}/0`])(
    'rejects %p, which this adapter never returns',
    (none) => {
      expect(() => toClientPosition(text(none))).toThrow(RangeError);
    },
  );
});
