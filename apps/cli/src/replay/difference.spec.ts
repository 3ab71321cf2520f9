import { changedParts, difference } from './difference.js';

describe('the parts of the document that changed', () => {
  it('are told with what they were and what they are, also in lists without a heading of their own', () => {
    const found = difference.parse({
      preferencesChanged: [{ key: 'tone', before: 'dry' }],
      entriesChanged: [
        {
          part: 'risks',
          key: 'RISK-1',
          before: { status: 'open' },
          after: { status: 'mitigated' },
        },
        { part: 'records', key: 'dev', before: null, after: { kind: 'dev-record' } },
      ],
    });
    expect(changedParts(found)).toEqual([
      { title: 'Preferences', part: 'userPreferences', key: 'tone', before: 'dry', after: null },
      {
        title: 'Other entries',
        part: 'risks',
        key: 'RISK-1',
        before: { status: 'open' },
        after: { status: 'mitigated' },
      },
      {
        title: 'Other entries',
        part: 'records',
        key: 'dev',
        before: null,
        after: { kind: 'dev-record' },
      },
    ]);
  });

  it('are none where an older server tells of none', () => {
    expect(changedParts(difference.parse({}))).toEqual([]);
  });
});
