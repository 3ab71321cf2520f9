import * as fc from 'fast-check';

import { type JsonValue } from '#event-sourcing';

import { digestOf } from './digest.js';
import { lineOf } from './line.js';
import { Reading } from './read-value.js';

const report = `# Review of the importer

**Status:** CONCERNS

## What was read

- \`libs/interop/src/csv/parse-rows.ts\` calls \`parseRow\` 1,204 times, 35 ms each
- ${'nothing that anybody would want to know. '.repeat(20)}
- see https://example.com/rows?id=7 and DEC-014

## What went wrong

TypeError: cannot read properties of undefined (reading 'cells')

${'It was a long day, and much was said about the weather. '.repeat(40)}

Merge it once parseRow is fixed.
`;

/** Any JSON value, with unusual characters in its texts. */
const texts = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.constantFrom(
    '\0',
    '\ud800',
    '/etc/passwd',
    ' \n ',
    '\u0085x',
    '{"a":[1',
    '[[[["deep"]]]]',
    '\u001b[31mred',
  ),
);
const values = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 6 },
    texts,
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.constantFrom(null, true, false),
    fc.array(tie('value'), { maxLength: 5 }),
    fc.dictionary(fc.oneof(texts, fc.constant('__proto__')), tie('value'), { maxKeys: 5 }),
  ),
})).value;
const rooms = fc.integer({ min: 0, max: 400 });

describe('the digest of a value', () => {
  it('is the whole text if that fits', () => {
    expect(digestOf('One line.\n\n  Another.', 100)).toBe('One line.\nAnother.');
    expect(digestOf({ status: 'done', files: ['a.ts', 'b.ts'], notes: 'x\ny' }, 100)).toBe(
      'status: done\nfiles: a.ts, b.ts\nnotes: x\ny',
    );
    expect(digestOf(null, 100)).toBe('null');
    expect(digestOf('', 100)).toBe('');
  });

  it('shows headings, verdicts and errors first, then the facts of the rest', () => {
    expect(digestOf(report, 420)).toBe(
      [
        '# Review of the importer',
        '**Status:** CONCERNS',
        '## What was read',
        '- `libs/interop/src/csv/parse-rows.ts` calls `parseRow` 1,204 times,…',
        '- nothing that anybody would want to know.',
        '## What went wrong',
        "TypeError: cannot read properties of undefined (reading 'cells')",
        'Merge it once parseRow is fixed.',
        'paths: libs/interop/src/csv/parse-rows.ts',
        'identifiers: DEC-014',
        'urls: https://example.com/rows?id=7',
        'numbers: 1,204 times, 35 ms',
      ].join('\n'),
    );
  });

  it.each([
    ['a box that is not ticked', '- [x] the parser\n- [ ] the importer', '- [ ] the importer'],
    ['a line below its heading', '## Next steps\nRename the columns.', 'Rename the columns.'],
    ['the third line below its heading', '### Findings\n- a\n- b\n- no index', '- no index'],
    ['a line that says so', 'Open question: who may rename columns?', 'who may rename columns?'],
    ['a verdict in words', 'Type check: NO_ISSUES_FOUND', 'NO_ISSUES_FOUND'],
    ['a count of tests', 'All of it works, 75/75 tests passing', '75/75 tests passing'],
  ])('shows open points and results among many other lines: %s', (_, lines, shown) => {
    const others = Array.from({ length: 60 }, (__, at) => `- item ${at} of src/list-${at}.ts`);
    const text = [...others.slice(0, 30), lines, ...others.slice(30)].join('\n');
    expect(digestOf(text, 400)).toContain(shown);
  });

  it.each([
    [
      'in another member',
      { body: 'It is short.\n## Open questions\n- Who owns it?', gate: 'PASS' },
    ],
    ['below the heading', '## Findings\n- no index\nGate: PASS\n- slow at night\n- no tests'],
  ])('recognizes a verdict after a heading of open points: %s', (_, value) => {
    const { ranks } = Reading.of(value);
    expect(ranks.of('verdict').map(({ text }) => text.toLowerCase())).toEqual(['gate: pass']);
    expect(ranks.of('open').length).toBeGreaterThan(0);
  });

  it('takes neither a code fence nor the border of a table for an open point', () => {
    const open = (text: string) =>
      Reading.of(text)
        .ranks.of('open')
        .map((line) => line.text);
    expect(open('## Next steps\n```bash\nnpm run migrate\n```\nThat is all of it.')).toContain(
      'npm run migrate',
    );
    const table = '| No | Finding |\n|---|---|\n| 1 | a |\n| 2 | b |\n| 3 | c |';
    expect(open(`## Findings\n${table}`)).toEqual(table.split('\n').toSpliced(1, 1));
  });

  it('takes no number, address or duration for an open point or a verdict', () => {
    const rows = Array.from({ length: 3 }, (_, at) => ({ open: at + 0.5, close: at + 1.5 }));
    const { ranks } = Reading.of({ rows, next: 'https://example.com/2', remaining: 0, n: [rows] });
    expect(ranks.of('open')).toEqual([]);
    expect(Reading.of('After 3 days passed nothing happened').ranks.of('verdict')).toEqual([]);
  });

  it('shows members that hold open points', () => {
    const value = { log: 'n '.repeat(500), concerns: ['no index', 'slow'], nextSteps: 'Add one.' };
    const digest = digestOf(value, 200);
    expect(digest).toContain('concerns: no index, slow');
    expect(digest).toContain('nextSteps: Add one.');
  });

  it('reads JSON inside a text at any depth', () => {
    const text = JSON.stringify({ result: 'PASS', log: 'n'.repeat(500), file: 'src/a.ts' });
    expect(digestOf(text, 60)).toContain('result: PASS');
    const deep = '['.repeat(50_000) + '"src/deep.ts"' + ']'.repeat(50_000);
    expect(digestOf(deep, 60)).toBe('src/deep.ts');
  });

  it('takes the line below a status heading for the verdict', () => {
    const record = `# Use queues\n\n## Status\n\nAccepted\n\n## Context\n\n${'why '.repeat(200)}`;
    expect(digestOf(record, 80)).toContain('## Status\nAccepted');
  });

  it('shows code fences and single marks only if there is nothing else', () => {
    expect(digestOf('```\nlet a\n```\n]\n'.repeat(9), 20)).toBe('```\nlet a\n]');
    expect(digestOf(`\`\`\`\n${'Something was done. '.repeat(20)}\n]`, 60)).toBe(
      'Something was done.',
    );
  });

  it('never exceeds its room, and is the same each time', () => {
    fc.assert(
      fc.property(values, rooms, (value, room) => {
        const digest = digestOf(value, room);
        expect(digest.length).toBeLessThanOrEqual(room);
        expect(digestOf(value, room)).toBe(digest);
      }),
    );
  });

  it('begins with neither white space nor a slash, and is well-formed without NUL', () => {
    fc.assert(
      fc.property(values, rooms, (value, room) => {
        const digest = digestOf(value, room);
        expect(digest).not.toMatch(/^[\s\p{White_Space}/]/u);
        expect(digest.isWellFormed()).toBe(true);
        expect(digest).not.toMatch(/[\0-\t\v-\x1f]/);
      }),
    );
    expect(digestOf('/etc/hosts', 40)).toBe('- /etc/hosts');
    expect(digestOf('a\0b\ud800c', 40)).toBe('a\ufffdb\ufffdc');
  });

  it.each([
    ['a word', 'x'.repeat(1_048_576)],
    ['words', 'aB_c-1.'.repeat(150_000)],
    ['lines', '\n1'.repeat(500_000)],
    ['paths', 'src/a_b/c1.ts '.repeat(75_000)],
    ['spaces', ` ${' '.repeat(1_048_576)}.`],
    ['stops', '. '.repeat(500_000)],
    ['open brackets', '['.repeat(1_048_576)],
    ['equals signs', '='.repeat(1_048_576)],
    ['colours', '\u001b['.repeat(500_000)],
  ])('of a megabyte of %s fits its room', (_, text) => {
    expect(digestOf(text, 300).length).toBeLessThanOrEqual(300);
    expect(lineOf({ text }, 120).length).toBeLessThanOrEqual(120);
  });
});

describe('the line of a value', () => {
  it('is the whole text if that fits', () => {
    expect(lineOf({ status: 'done', next: 'merge' }, 80)).toBe('status: done; next: merge');
  });

  it('is the title and the verdict with as many facts as fit', () => {
    expect(lineOf(report, 80)).toBe(
      '# Review of the importer · **Status:** CONCERNS · TypeError, parseRow, DEC-014',
    );
  });

  it('is the title of a value with its facts, or with the next line if the title is short', () => {
    const body = `Read the ledger, then report what is missing. ${'It is long. '.repeat(40)}`;
    expect(lineOf({ title: 'Story', body }, 80)).toMatch(/^title: Story · body: Read the ledger/);
    const title = 'Import ledgers of all branches at night';
    expect(lineOf({ title, body: `${body} See src/a/b.ts` }, 80)).toBe(
      `title: ${title} · src/a/b.ts`,
    );
  });

  it('repeats no line, does not cut a title in favor of the line below it, and shows a verdict after one in the title', () => {
    const log = 'still waiting for the lock\n'.repeat(50);
    expect(lineOf({ title: 'Report', log }, 120)).toBe(
      'title: Report · log: still waiting for the lock',
    );
    const title = 'Import the ledgers of all the branches at night, and report what is missing';
    expect(lineOf({ title, body: 'Some text that goes on for long. '.repeat(9) }, 120)).toContain(
      title,
    );
    const story = { title: 'Story: FAILED imports are retried', gate: 'PASS', body: log };
    expect(lineOf(story, 120)).toContain('gate: PASS');
  });

  it('has no line break, fits its room, and begins with neither white space nor a slash', () => {
    fc.assert(
      fc.property(values, rooms, (value, room) => {
        const line = lineOf(value, room);
        expect(line.length).toBeLessThanOrEqual(room);
        expect(line).not.toMatch(/^[\s\p{White_Space}/]|[\n\r\0]/u);
        expect(lineOf(value, room)).toBe(line);
      }),
    );
  });
});
