import { catchUp, createdItem, stepIdOf } from './item-copy.js';

const stored = (version: number, data: Record<string, unknown>, type = 'StepOutputAdded') => ({
  eventId: `e${version}`,
  type,
  version,
  principal: 'ada',
  data,
});

describe('catchUp', () => {
  it('applies missed events: the version and the last event of the log', () => {
    const missed = [
      stored(2, { values: {} }, 'GlobalContextSet'),
      stored(3, { stepId: stepIdOf(12), output: {} }),
      stored(4, { values: {} }, 'GlobalContextSet'),
      stored(5, { stepId: stepIdOf(15), output: {} }),
    ];
    expect(catchUp(createdItem, missed)).toEqual({ version: 5, lastId: 15 });
  });

  it('ignores known events and outputs that are not events of the log', () => {
    const copy = { version: 3, lastId: 12 };
    const known = [stored(3, { stepId: stepIdOf(9), output: {} })];
    expect(catchUp(copy, known)).toEqual(copy);
    expect(catchUp(copy, [stored(4, { stepId: 'event-x', output: {} })])).toEqual({
      version: 4,
      lastId: 12,
    });
  });
});
