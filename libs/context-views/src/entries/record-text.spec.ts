import fc from 'fast-check';

import { ContextState, type NewContextEvent } from '#shared-context';
import { did, recordContextEvent } from '#testing';

import { entriesOf } from '../sources/item-entry.js';

import { wholeText } from './entry.js';

type Fields = Readonly<Record<string, fc.JsonValue>>;

/** The whole text of a record, after its heading. */
function shown(fields: Fields, more: object = {}): string {
  const record = { recordId: 'r', kind: 'custom', fields, ...more };
  const events = [did('ContextCreated', {}), { type: 'RecordAppended', data: record }];
  const state = events.reduce(
    (before, event, at) =>
      before.apply(recordContextEvent(event as NewContextEvent, at + 1, { principal: 'dev' })),
    ContextState.from([]),
  );
  const entry = [...entriesOf(state.values())].find(({ kind }) => kind === 'record');
  if (!entry) throw new Error('there is no record');
  const text = wholeText(entry);
  return text.slice(text.indexOf('\n') + 1);
}

describe('the fields of a record in a view', () => {
  it('have a line each, and lists a line for each entry', () => {
    const fields = {
      summary: 'registration works',
      notesForReviewer: ['templates need a look', 'two\nlines', { file: 'a.ts' }],
      tests: 14,
      none: [],
      nested: { a: ['b'] },
    };
    expect(shown(fields, { body: 'Done.' })).toBe(
      [
        '```',
        'fields.summary: registration works',
        'fields.notesForReviewer:',
        '- templates need a look',
        '- "two\\nlines"',
        '- {"file":"a.ts"}',
        'fields.tests: 14',
        'fields.none: []',
        'fields.nested: {"a":["b"]}',
        'body: Done.',
        '```',
        '',
      ].join('\n'),
    );
  });

  it('are in a fence that no content can close', () => {
    const text = fc.stringMatching(/^[ab`\n\r\u2028\u0085\0#-]{0,12}$/);
    const value = fc.oneof(text, fc.array(text, { maxLength: 3 }), fc.jsonValue({ maxDepth: 1 }));
    const fields = fc.dictionary(fc.stringMatching(/^[a-z`\n]{1,6}$/), value, { minKeys: 1 });
    fc.assert(
      fc.property(fields, (values) => {
        const lines = shown(values).trimEnd().split('\n');
        const [fence = '', ...rest] = lines;
        expect(fence).toMatch(/^`{3,}$/);
        expect(rest.indexOf(fence)).toBe(rest.length - 1);
      }),
    );
  });
});
