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
  it('assigns to every actor its events in order, each with the previous event on the same item', () => {
    const turns = turnsByActor([
      event(1, 'x', 'ada'),
      event(2, 'y', 'bob'),
      event(3, 'x', 'bob'),
      event(4, 'x', 'ada'),
    ]);
    const ids = [...turns].map(([actor, own]) => [
      actor,
      own.map((turn) => [turn.event.id, turn.previousId]),
    ]);
    expect(ids).toEqual([
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
