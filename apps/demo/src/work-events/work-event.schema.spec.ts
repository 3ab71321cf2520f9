import { parseFinalItems, parseWorkEvents } from './work-event.schema.js';

const record = {
  id: 7,
  issue_id: 'gt-1',
  actor: 'crew/ada',
  event_type: 'created',
  old_value: '',
  new_value: '',
  comment: null,
  created_at: '2026-01-01T00:00:00Z',
};

const parse = (...records: readonly unknown[]) =>
  parseWorkEvents({
    lines: records.map((value, at) => ({ line: at + 1, value })),
    faults: [],
  });

describe('parseWorkEvents', () => {
  it.each([
    [{ event_type: 'created' }, { status: 'open' }],
    [
      { event_type: 'status_changed', new_value: '{"assignee":"","status":"hooked"}' },
      { assignee: '', status: 'hooked' },
    ],
    [{ event_type: 'updated', new_value: '{"notes":"x"}' }, { notes: 'x' }],
    [
      { event_type: 'closed', new_value: 'Done, see #4' },
      { status: 'closed', close_reason: 'Done, see #4' },
    ],
    [{ event_type: 'closed', new_value: '{"status":"closed"}' }, { status: 'closed' }],
    [{ event_type: 'reopened', new_value: '{"status":"pinned"}' }, { status: 'pinned' }],
    [{ event_type: 'renamed', old_value: 'gt-0', new_value: 'gt-1' }, { id: 'gt-1' }],
    [
      { event_type: 'label_added', comment: 'Added label: wait:12', new_value: null },
      { labels: { 'wait:12': true } },
    ],
    [
      { event_type: 'label_removed', comment: 'Removed label: wait:12', new_value: null },
      { labels: { 'wait:12': null } },
    ],
  ])('reads %j as a merge patch of the item', (members, changes) => {
    const { items, faults } = parse({ ...record, ...members });
    expect(faults).toEqual([]);
    expect(items).toMatchObject([{ id: 7, itemId: 'gt-1', actor: 'crew/ada', changes }]);
  });

  it('keeps the complete record, with unknown members', () => {
    const complete = { ...record, mood: 'good' };
    expect(parse(complete).items.at(0)?.record).toBe(complete);
  });

  it('reports lines that are not events, and sorts the others by id', () => {
    const { items, faults } = parse(
      { ...record, id: 9 },
      { ...record, event_type: 'teleported' },
      { ...record, event_type: 'updated', new_value: 'not JSON' },
      { ...record, issue_id: '../etc' },
      'text',
      { ...record, id: 8 },
    );
    expect(items.map(({ id }) => id)).toEqual([8, 9]);
    expect(faults.map(({ line }) => line)).toEqual([2, 3, 4, 5]);
    expect(faults.at(1)?.detail).toBe('updated has no changes');
  });
});

describe('parseFinalItems', () => {
  it('reads the compared members, and reports lines without them', () => {
    const lines = [{ id: 'gt-1', title: 't', status: 'open', more: 1 }, { id: 'gt-2' }];
    const { items, faults } = parseFinalItems({
      lines: lines.map((value, at) => ({ line: at + 1, value })),
      faults: [],
    });
    expect(items).toEqual([{ id: 'gt-1', title: 't', status: 'open' }]);
    expect(faults.map(({ line }) => line)).toEqual([2]);
  });
});
