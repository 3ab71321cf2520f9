import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { type FactKind, factKinds, factsIn, tells } from './facts.js';

/**
 * An excerpt of a real record, with the facts that a person marked in it. Excerpts of controls were marked after the
 * patterns were written.
 */
type Sample = Readonly<{
  kind: string;
  text: string;
  facts: Readonly<Partial<Record<FactKind, readonly string[]>>>;
  isControl?: true;
}>;

const content = readFileSync(join(import.meta.dirname, 'fact-samples.json'), 'utf8');
// The file is part of this test.
const samples = JSON.parse(content) as readonly Sample[];

const kindsOfRecords = ['runs with tools', 'discussions', 'stories', 'trails', 'logs', 'decisions'];

function compare(some: readonly Sample[]) {
  const pairs = some.map(({ text, facts }) => {
    const found = factsIn(text);
    return {
      found: new Set(factKinds.flatMap((kind) => [...found[kind]])),
      marked: new Set(factKinds.flatMap((kind) => facts[kind] ?? [])),
    };
  });
  const sum = (count: (pair: (typeof pairs)[number]) => number) =>
    pairs.reduce((total, pair) => total + count(pair), 0);
  const both = sum(({ found, marked }) => [...found].filter((fact) => marked.has(fact)).length);
  return {
    precision: both / sum(({ found }) => found.size),
    recall: both / sum(({ marked }) => marked.size),
  };
}

describe('the patterns that find facts', () => {
  it('are compared with marks in excerpts of all kinds of records', () => {
    expect(new Set(samples.map(({ kind }) => kind))).toEqual(new Set(kindsOfRecords));
    for (const { text, facts } of samples) {
      expect(text.length).toBeLessThanOrEqual(300);
      for (const fact of factKinds.flatMap((kind) => facts[kind] ?? []))
        expect(tells(text, fact)).toBe(true);
    }
  });

  it('match hardly any text that a person would not call a fact', () => {
    expect(compare(samples).precision).toBeGreaterThanOrEqual(0.9);
    expect(compare(samples.filter(({ isControl }) => isControl)).precision).toBeGreaterThan(0.85);
  });

  // Most facts without a match are numbers without a unit, and lower-case names with hyphens or dots.
  it('match more than half of the facts that a person marked', () => {
    expect(compare(samples).recall).toBeGreaterThanOrEqual(0.6);
    expect(compare(samples.filter(({ isControl }) => isControl)).recall).toBeGreaterThan(0.7);
  });

  it.each([
    [
      'escapes of lines, characters and colours',
      String.raw`\ntotal_rows \u2019re \u001b[31mrow_id`,
    ],
    ['what is printed twice', String.raw`{\"log\": \"\\ntotal_rows \\u001b[0mrow_id\"}`],
    ['tags', '<b>total_rows</b> <i>row_id</i>'],
    ['names of members', '{"max_rows": "total_rows", "row_ids": "row_id"}\nfirst_row: row_id'],
  ])('match in %s', (_, text) => {
    expect([...factsIn(text).identifiers].toSorted()).toEqual(['row_id', 'total_rows']);
  });

  it.each([
    ['closing tags', '</ROLE> </a>'],
    ['numbers whose next line begins with a unit', String.raw`exit 12\nlines`],
    ['dates', '24/12/2025 2025/12/24'],
    ['the letters of regular expressions and of TeX', String.raw`\bfoo_bar\b \text{a}`],
  ])('match nothing in %s', (_, text) => {
    expect(Object.values(factsIn(text)).flatMap((facts) => [...facts])).toEqual([]);
  });
});
