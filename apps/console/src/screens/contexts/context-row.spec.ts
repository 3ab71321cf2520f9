import { type ContextRow, obstaclesOf } from './context-row.js';

const row: ContextRow = {
  contextId: 'a',
  title: null,
  status: 'open',
  outcome: 'in_progress',
  version: 1,
  updatedAt: null,
  openBlockers: null,
  breakersNearLimit: null,
  warning: null,
};

describe('obstaclesOf', () => {
  it.each<[Partial<ContextRow>, readonly string[]]>([
    [{}, []],
    [{ openBlockers: 1 }, ['1 open blocker']],
    [
      { openBlockers: 2, warning: { code: 'over-token-threshold' } },
      ['2 open blockers', 'too large'],
    ],
    [{ warning: { code: 'near-token-threshold' } }, ['nearly too large']],
    [{ breakersNearLimit: [{}] }, ['circuit breaker near or at its limit']],
    [{ breakersNearLimit: [{}], status: 'closed' }, []],
  ])('of %j returns %j', (changes, obstacles) => {
    expect(obstaclesOf({ ...row, ...changes })).toEqual(obstacles);
  });
});
