import { turnsByActor } from './replay.js';

const event = (id: number, itemId: string, actor: string) => ({
  id,
  itemId,
  actor,
  type: 'updated' as const,
  changes: {},
  record: null,
});

describe('turnsByActor', () => {
  it('gives every actor its events in order, each with the one before it on the same item', () => {
    const turns = turnsByActor([
      event(1, 'x', 'ada'),
      event(2, 'y', 'bob'),
      event(3, 'x', 'bob'),
      event(4, 'x', 'ada'),
    ]);
    const told = [...turns].map(([actor, own]) => [
      actor,
      own.map((turn) => [turn.event.id, turn.previousId]),
    ]);
    expect(told).toEqual([
      [
        'ada',
        [
          [1, null],
          [4, 3],
        ],
      ],
      [
        'bob',
        [
          [2, null],
          [3, 1],
        ],
      ],
    ]);
  });
});
