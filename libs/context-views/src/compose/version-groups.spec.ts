import { groupsBefore, isAligned } from './version-groups.js';

describe('groups of versions', () => {
  it('are aligned if they divide the versions before any version', () => {
    for (const end of [17, 33, 81, 1_025]) expect(groupsBefore(end).every(isAligned)).toBe(true);
  });

  it.each([
    [17, 20],
    [17, 18],
    [1, 8],
    [9, 24],
    [1, 48],
    [17, 48],
  ])('are not aligned from v%i to v%i', (from, to) => {
    expect(isAligned({ from, to })).toBe(false);
  });
});
