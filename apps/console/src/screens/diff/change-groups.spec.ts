import { type Difference, changeGroups } from './change-groups.js';

const difference = (members: object): Difference => ({
  contextId: 'login',
  from: 1,
  to: 2,
  created: null,
  life: null,
  currentState: null,
  decisionsMade: [],
  nextCursor: null,
  ...members,
});

describe('changeGroups', () => {
  it('returns no group if nothing changed', () => {
    expect(changeGroups(difference({}))).toEqual([]);
  });

  it('returns the members of a new entry that have a value, and only the different ones of a changed entry', () => {
    const groups = changeGroups(
      difference({
        stepsChanged: [
          {
            stepId: 'build',
            before: { status: 'running', by: 'a' },
            after: { status: 'failed', by: 'a' },
            failure: { reason: 'r' },
          },
        ],
        decisionsMade: [{ decisionId: 'DEC-001', decision: 'use jose', topic: null }],
      }),
    );
    expect(groups).toEqual([
      {
        heading: 'New decisions',
        changes: [
          {
            key: 'DEC-001',
            kind: 'added',
            members: [{ name: 'decision', before: undefined, after: 'use jose' }],
          },
        ],
      },
      {
        heading: 'Changed steps',
        changes: [
          {
            key: 'build',
            kind: 'changed',
            members: [
              { name: 'status', before: 'running', after: 'failed' },
              { name: 'failure', before: undefined, after: { reason: 'r' } },
            ],
          },
        ],
      },
    ]);
  });

  it.each<[object, string, readonly unknown[]]>([
    [{ key: 'tone', after: 'dry' }, 'added', [{ name: '', before: undefined, after: 'dry' }]],
    [{ key: 'tone', before: 'dry' }, 'removed', [{ name: '', before: 'dry', after: undefined }]],
    [
      { key: 'tone', before: 'dry', after: ['x'] },
      'changed',
      [{ name: '', before: 'dry', after: ['x'] }],
    ],
  ])('of the preference %j returns the kind %s', (entry, kind, members) => {
    const groups = changeGroups(difference({ preferencesChanged: [entry] }));
    expect(groups).toEqual([
      { heading: 'Changed preferences', changes: [{ key: 'tone', kind, members }] },
    ]);
  });

  it('identifies an entry of another list by its list, too', () => {
    const entriesChanged = [{ part: 'tasks', key: 'T-1', before: null, after: { title: 'x' } }];
    const [group] = changeGroups(difference({ entriesChanged }));
    expect(group?.changes[0]).toMatchObject({ key: 'tasks T-1', kind: 'added' });
  });
});
