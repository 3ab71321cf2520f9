import { changedParts, difference } from './difference.js';

describe('the changed parts of a document', () => {
  it('have their values before and after, even without a separate heading', () => {
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

  it('are none if an older server returns no lists', () => {
    expect(changedParts(difference.parse({}))).toEqual([]);
  });
});
