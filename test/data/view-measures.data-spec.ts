import { join } from 'node:path';

import { type RecordedContextEvent } from '#shared-context';

import { factsIn, tells } from './facts.js';
import { recorded, sourceEvent } from './views/source-event.js';

const measures = join(import.meta.dirname, '../../bench/views');

type Facts = Readonly<{ of(texts: readonly string[]): ReadonlySet<string> }>;
type View = Readonly<{ text: string; whole: ReadonlySet<string>; shortened: ReadonlySet<string> }>;

// The benchmark is JavaScript without types.
const { Facts } = (await import(join(measures, 'recall.mjs'))) as Readonly<{
  Facts: new (patterns: object) => Facts;
}>;
const { commonTokens } = (await import(join(measures, 'parts/cache-hits.mjs'))) as Readonly<{
  commonTokens: (left: string, right: string) => number;
}>;
const { countLabels } = (await import(join(measures, 'labels.mjs'))) as Readonly<{
  countLabels: (view: View, facts: Facts) => Readonly<{ told: number; of: number }>;
}>;
const { findInvented } = (await import(join(measures, 'invented.mjs'))) as Readonly<{
  findInvented: (
    text: string,
    events: readonly RecordedContextEvent[],
    facts: Facts,
  ) => Readonly<{ of: number; found: readonly string[] }>;
}>;

const facts = new Facts({ factsIn, tells });

describe('the share of facts with a label', () => {
  const labelsIn = (line: string) =>
    countLabels(
      {
        text: `# context \`c\`\n## v2 \`step-output:a\` by \`b\`, digest\n\`\`\`\n${line}\n\`\`\`\n`,
        whole: new Set(),
        shortened: facts.of([line]),
      },
      facts,
    );

  it.each([
    ['the name of a member in front', 'exit: error_code'],
    ['words in front', 'Renamed the parser to parse_row'],
    ['words in front of a list', 'Changed src/a.ts, src/b.ts and src/c.ts'],
    ['JSON', '{"changed":["src/a.ts","src/b.ts"]}'],
    ['prose behind', '14 tests passed'],
    ['an amount behind a name', 'total: $50.88'],
  ])('counts %s', (_, line) => {
    const { told: labelled, of } = labelsIn(line);
    expect(of).toBeGreaterThan(0);
    expect(labelled).toBe(of);
  });

  it.each([
    ['a list by kind', 'numbers: 14 tests, 35 ms'],
    ['another', 'identifiers: parse_row, read_row'],
    ['names in a row', 'parse_row, read_row'],
    ['names behind what is said of something else', 'the end is near · parse_row, read_row'],
    ['a path by itself', 'src/a.ts'],
  ])('does not count %s', (_, line) => {
    expect(labelsIn(line)).toEqual({ told: 0, of: facts.of([line]).size });
  });

  it('depends on shortened parts only, and not on headings', () => {
    const text = [
      '## v1 `step-output:a` by `agent_a`',
      '```\noutput: parse_row\n```',
      '- v2 `step-output:b` by `agent_b`: `read_row`',
      '',
    ].join('\n');
    const shortened = new Set(['parse_row', 'read_row', 'agent_b']);
    const whole = new Set(['step-output:a']);
    expect(countLabels({ text, whole, shortened }, facts)).toEqual({ told: 0, of: 1 });
  });
});

describe('invented facts', () => {
  const events = recorded([
    sourceEvent('operator', 'ContextCreated', { title: 'a' }),
    sourceEvent('coder', 'StepOutputAdded', {
      stepId: 's1',
      output: {
        log: String.raw`\ntotal_rows of src/tables/index.ts`,
        path: 'src/a/very/long_name.ts',
        counts: 'read 12\nfiles and 13',
        rows: 'files',
      },
    }),
  ]);
  const inventedIn = (line: string) =>
    findInvented(
      `# context \`not_there\`\n## v1 \`x:y_z\`\n\`\`\`\n${line}\n\`\`\`\n`,
      events,
      facts,
    );

  it('are facts that the events do not contain', () => {
    expect(inventedIn('ntotal_rows, total_rows, 14 tests').found).toEqual([
      'ntotal_rows',
      '14 tests',
    ]);
  });

  it('include the items of a list, regardless of the patterns', () => {
    expect(inventedIn('paths: /div, src/tables/index.ts').found).toEqual(['/div']);
    expect(inventedIn('log: a · u2019re, 8 Test, total_rows (2)').found).toEqual([
      'u2019re',
      '8 Test',
    ]);
  });

  it('include items with a label before them, anywhere in the list', () => {
    const line =
      'identifiers: ntotal_rows, total_rows; log: src2, parse_row; index: 9q, total_rows';
    expect(inventedIn(line).found.toSorted()).toEqual(['9q', 'ntotal_rows', 'parse_row', 'src2']);
    expect(inventedIn('log: a · total_rows, log: 8 Test').found).toEqual(['8 Test']);
  });

  it('include amounts that only the ends of two lines form', () => {
    expect(inventedIn('numbers: 12 files, 13 rows').found).toEqual(['12 files', '13 rows']);
  });

  it('include neither visibly cut words nor words of headings', () => {
    expect(inventedIn('total_rows in src/tables/ind… · src/tables/index.ts')).toEqual({
      of: 2,
      found: [],
    });
  });
});

describe('the common beginning of two views', () => {
  it.each([
    ['all of it', '# a\n- b c\n', '# a\n- b c\n', 10],
    ['what is continued by a line', '# a\n', '# a\n- b\n', 4],
    ['up to a word that differs', '# a\n- b\n', '# a\n- c\n', 5],
    ['up to the last whole word', '# a\nthe first row\n', '# a\nthe first rows\n', 13],
    ['nothing of a word that differs', 'first', 'firsts', 0],
    ['nothing behind a line that goes on with a slash', 'a b\n/x', 'a b\n/y', 1],
  ])('is %s', (_, left, right, length) => {
    expect(commonTokens(left, right)).toBe(length);
    expect(commonTokens(right, left)).toBe(length);
  });
});
