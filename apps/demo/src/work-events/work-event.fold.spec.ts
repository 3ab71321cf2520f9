import { countSupported, foldStatuses, itemsWithStatusEvents } from './work-event.fold.js';
import { type WorkEvent } from './work-event.schema.js';

const event = (type: WorkEvent['type'], status: string | undefined, itemId = 'a'): WorkEvent => ({
  id: 1,
  itemId,
  actor: 'ada',
  type,
  changes: status === undefined ? { notes: '' } : { status },
  record: null,
});

const log = [
  event('created', 'open'),
  event('closed', 'closed'),
  event('reopened', 'pinned'),
  event('updated', undefined),
  event('closed', 'closed', 'b'),
  event('created', 'open', 'b'),
  event('created', 'open', 'c'),
];

const final = (id: string, status: string) => ({ id, title: '', status });

describe('folding a work log offline', () => {
  it('returns the last status of every item', () => {
    expect([...foldStatuses(log)]).toEqual([
      ['a', 'pinned'],
      ['b', 'open'],
      ['c', 'open'],
    ]);
  });

  it('does not count the creation as a status event', () => {
    expect([...itemsWithStatusEvents(log)]).toEqual(['a', 'b']);
  });

  it('counts the final statuses that the log supports, with and without some types', () => {
    const finals = [final('a', 'pinned'), final('b', 'open'), final('c', 'open')];
    expect(countSupported(log, finals)).toBe(2);
    expect(countSupported(log, finals, ['created', 'reopened'])).toBe(0);
  });
});
