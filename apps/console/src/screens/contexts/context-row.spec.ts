import { type ContextRow, attentionOf } from './context-row.js';

const row: ContextRow = {
  contextId: 'a',
  title: null,
  status: 'open',
  outcome: 'in_progress',
  version: 1,
};

describe('attentionOf', () => {
  it.each<[Partial<ContextRow>, readonly string[]]>([
    [{}, []],
    [{ outcome: 'failed' }, ['failed']],
    [{ outcome: 'failed', status: 'closed' }, []],
    [{ openBlockers: 2, warning: 'large' }, ['2 open blockers', 'oversized']],
    [{ breakersNearLimit: ['review'] }, ['circuit breaker near its limit']],
  ])('of %j returns %j', (changes, reasons) => {
    expect(attentionOf({ ...row, ...changes })).toEqual(reasons);
  });
});
