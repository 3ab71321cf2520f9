import { contextAfter, did, recordContextEvent, specify } from '#testing';

import { contextDecider } from '../context.decider.js';
import { RuleViolationError } from '../context.errors.js';
import { renderRecords } from './record.document.js';
import { recordAppended, recordToAppend } from './record.events.js';
import { recordFields } from './record.fields.js';

const { given } = specify(contextDecider, recordContextEvent);

const created = did('ContextCreated', {});
const insights = {
  recordId: 'REC-1',
  kind: 'kickoff-insights',
  participants: ['Winston (Architect)'],
  fields: { notes: ['reuse the middleware'], strategy: 'extend the service' },
} as const;
const appended = did('RecordAppended', {
  ...insights,
  participants: [...insights.participants],
  fields: { notes: [...insights.fields.notes], strategy: insights.fields.strategy },
});

function reads(record: object): boolean {
  return recordAppended.schema.safeParse({ recordId: 'REC-1', ...record }).success;
}

/** The paths that the schema refuses. */
function refusedPlaces(record: object): string[] {
  const parsed = recordToAppend.safeParse(record);
  return parsed.success ? [] : parsed.error.issues.map(({ path }) => path.join('/'));
}

describe('records', () => {
  it('are appended once', () => {
    const { data } = recordContextEvent(appended, 2);
    const append = { type: 'AppendRecord', data: recordAppended.schema.parse(data) } as const;
    given(created).when(append).then(appended);
    given(created, appended).when(append).thenNothing();
    given(created, appended)
      .when({ type: 'AppendRecord', data: { recordId: 'REC-1', kind: 'uat', body: 'b' } })
      .thenRefused(RuleViolationError, { issues: [{ pointer: '/recordId' }] });
  });

  it('are shown as sent, oldest first, with their authors', () => {
    const story = did('RecordAppended', { recordId: 'A', kind: 'custom', body: '## Notes' });
    const after = contextAfter(created, appended, story);
    expect(renderRecords([...after.values()].toReversed())).toEqual([
      { ...insights, agentId: 'tester', timestamp: '2026-01-01T00:00:02.000Z', version: 2 },
      {
        recordId: 'A',
        kind: 'custom',
        body: '## Notes',
        agentId: 'tester',
        timestamp: '2026-01-01T00:00:03.000Z',
        version: 3,
      },
    ]);
  });

  it('have their kind, but not their content, in their state', () => {
    const item = contextAfter(created, appended).get('record', 'REC-1');
    expect(item?.state).toEqual({
      kind: 'kickoff-insights',
      version: 2,
      agentId: 'tester',
      timestamp: '2026-01-01T00:00:02.000Z',
    });
  });
});

describe('the content of a record', () => {
  it('is Markdown, fields of its kind, or both', () => {
    expect(reads({ kind: 'dev-record', body: '# Done' })).toBe(true);
    expect(reads({ kind: 'dev-record', fields: { summary: 'done' } })).toBe(true);
    expect(reads({ kind: 'dev-record', body: '# Done', fields: { testsAdded: ['a'] } })).toBe(true);
    expect(reads({ kind: 'dev-record', body: '# Done', fields: {} })).toBe(true);
  });

  it.each([{}, { fields: {} }, { title: 'Done' }])('is not empty, such as %j', (said) => {
    expect(refusedPlaces({ kind: 'dev-record', ...said })).toEqual(['body']);
  });

  it('is a list of lines or one text', () => {
    for (const notes of ['one', ['one', 'two'], []])
      expect(reads({ kind: 'kickoff-insights', fields: { notes } })).toBe(true);
    const refused = (notes: unknown) =>
      refusedPlaces({ kind: 'kickoff-insights', fields: { notes } });
    for (const notes of ['', [1], null, { a: 1 }]) expect(refused(notes)).toEqual(['fields/notes']);
    expect(refused(['one', ''])).toEqual(['fields/notes/1']);
  });

  it.each(Object.keys(recordFields))('has only the fields of its kind %s', (kind) => {
    const unknown = refusedPlaces({ kind, fields: { unheardOf: 1 } });
    expect(unknown).toEqual(kind === 'custom' ? [] : ['fields']);
    expect(refusedPlaces({ kind, body: 'b', extra: 1 })).toEqual(['']);
  });

  it('has one of three recommendations in a failure analysis', () => {
    const analysis = (recommendation: string) => ({
      kind: 'failure-analysis',
      fields: { failureType: 'dev', message: 'a circular dependency', recommendation },
    });
    expect(['Retry', 'Skip', 'Escalate'].map((one) => reads(analysis(one)))).toEqual([
      true,
      true,
      true,
    ]);
    expect(refusedPlaces(analysis('retry'))).toEqual(['fields/recommendation']);
  });

  it('is any object for the kind custom, without a copy', () => {
    const fields = JSON.parse('{"__proto__":{"a":1},"":[null]}') as object;
    const parsed = recordAppended.schema.parse({ recordId: 'A', kind: 'custom', fields });
    expect(parsed.fields).toBe(fields);
    expect(refusedPlaces({ kind: 'custom', fields: [] })).toEqual(['fields']);
  });

  it('requires a known kind', () => {
    expect(refusedPlaces({ kind: 'diary', body: 'b' })).toEqual(['kind']);
    expect(refusedPlaces({ body: 'b' })).toEqual(['kind']);
  });
});
