import * as fc from 'fast-check';

import { factsOf } from './facts.js';
import { rollupOf } from './rollup.js';
import { type Tally, type TallyInput, mergeTallies, tallyOf } from './tally.js';

const entry = (version: number, change: Partial<TallyInput> = {}): TallyInput => ({
  kind: 'step-output',
  key: `step-${version}`,
  version,
  author: 'dev',
  phase: 'build',
  facts: factsOf(`TypeError in src/a.ts, see src/b-${version % 3}.ts; 35 ms`),
  ...change,
});

const words = fc.constantFrom(
  'src/a.ts',
  'parseRow',
  'TypeError',
  '35 ms',
  'Gate: PASS',
  'https://a.b/c',
);
const inputs = fc
  .array(
    fc.record({
      kind: fc.constantFrom('step-output', 'decision', '__proto__'),
      author: fc.constantFrom('dev', 'qa', '__proto__'),
      phase: fc.constantFrom('build', null),
      facts: fc.array(words, { maxLength: 4 }).map((found) => factsOf(found.join('\n'))),
    }),
    { maxLength: 30 },
  )
  .map((each) => each.map((one, n) => ({ ...one, version: n + 1, key: `${n}` })));

function cut<Value>(values: readonly Value[], sizes: readonly number[]): readonly Value[][] {
  const left = [...values];
  return [...sizes.map((size) => left.splice(0, size)), left];
}

describe('a tally', () => {
  it('counts entries by kind, agent and phase, and the entries in which each fact occurs', () => {
    const tally = tallyOf([entry(3), entry(4, { author: 'qa', phase: null }), entry(5)]);
    expect(tally).toMatchObject({
      entries: 3,
      from: 3,
      to: 5,
      byKind: { named: [['step-output', 3]], others: 0 },
      byAgent: {
        named: [
          ['dev', 2],
          ['qa', 1],
        ],
        others: 0,
      },
      byPhase: { named: [['build', 2]], others: 0 },
    });
    expect(tally.facts.errors.named).toEqual([['TypeError', 3]]);
    expect(tally.facts.paths.named).toEqual([
      ['src/a.ts', 3],
      ['src/b-0.ts', 1],
      ['src/b-1.ts', 1],
      ['src/b-2.ts', 1],
    ]);
  });

  it('is the same whether entries are tallied at once or in parts, however the parts are merged', () => {
    fc.assert(
      fc.property(inputs, fc.array(fc.nat(10), { maxLength: 4 }), (entries, sizes) => {
        const parts = cut(entries, sizes).map((part) => tallyOf(part));
        const whole = tallyOf(entries);
        expect(mergeTallies(parts)).toEqual(whole);
        const fromLeft = parts.reduce((sum, part) => mergeTallies([sum, part]), tallyOf([]));
        expect(fromLeft).toEqual(whole);
      }),
    );
  });

  it('is plain data of bounded size with exact sums', () => {
    const tally = mergeTallies(
      Array.from({ length: 40 }, (_, block) =>
        tallyOf(
          Array.from({ length: 20 }, (__, n) =>
            entry(block * 20 + n + 1, {
              author: `agent-${block}-${n}`,
              facts: factsOf(`src/${block}/${n}.ts ${'x'.repeat(70)}_${block}_${n}`),
            }),
          ),
        ),
      ),
    );
    expect(JSON.parse(JSON.stringify(tally))).toEqual(tally);
    expect(JSON.stringify(tally).length).toBeLessThan(40_000);
    const { named, others } = tally.byAgent;
    expect(named.reduce((sum, [, count]) => sum + count, others)).toBe(800);
    expect([tally.entries, tally.from, tally.to]).toEqual([800, 1, 800]);
  });
});

describe('a roll-up', () => {
  it('shows the kinds and authors of entries, then each fact once, the most important first', () => {
    const tally = tallyOf([
      entry(1),
      entry(2),
      entry(3, { author: 'qa', kind: 'review', facts: factsOf('Gate: PASS') }),
      entry(4, { facts: factsOf('src/a.ts: parseRow, https://a.b/c') }),
    ]);
    expect(rollupOf(tally, 600)).toBe(
      [
        '4 entries: step-output 3, review 1; by dev 3, qa 1; in build 4',
        'errors: TypeError (2)',
        'verdicts: Gate: PASS',
        'paths: src/a.ts, src/b-1.ts, src/b-2.ts',
        'identifiers: parseRow',
        'urls: https://a.b/c',
        'numbers: 35 ms',
      ].join('\n'),
    );
  });

  it('counts actions and their failures, without members that only wrap them', () => {
    const ran = (version: number, exit_code: number) =>
      entry(version, { facts: factsOf({ id: 'call_1', command: 'pytest -q', exit_code }) });
    const called = (version: number, user: string) => {
      const tool_calls = [{ function: { name: 'get_user', arguments: JSON.stringify({ user }) } }];
      return entry(version, { facts: factsOf({ role: 'assistant', content: null, tool_calls }) });
    };
    const tally = tallyOf([ran(1, 0), ran(2, 1), ran(3, 1), called(4, 'a_1'), called(5, 'b_2')]);
    expect(rollupOf(tally, 600).split('\n').slice(1)).toEqual([
      'done: ran: pytest -q (3), get_user (2)',
      'verdicts: exit_code: 1 (2)',
      'identifiers: a_1, b_2',
    ]);
  });

  it('counts commands by their verb, if they differ', () => {
    const commands = ['make', 'make', 'ls'].map((command, n) =>
      entry(n + 1, { facts: factsOf({ command, exit_code: 0 }) }),
    );
    expect(rollupOf(tallyOf(commands), 200).split('\n').slice(1)).toEqual([
      'done: ran (3), ran: make (2), ran: ls',
    ]);
  });

  it('names an error with several qualifiers once', () => {
    const errors = ['AssertionError', 'java.lang.AssertionError', 'org.junit.AssertionError'];
    const tally = tallyOf(errors.map((error, n) => entry(n + 1, { facts: factsOf(error) })));
    expect(rollupOf(tally, 200).split('\n').slice(1)).toEqual(['errors: AssertionError']);
    expect(rollupOf(tallyOf([entry(1, { facts: factsOf('a.b.TimeoutError') })]), 200)).toContain(
      'errors: a.b.TimeoutError',
    );
  });

  it('never exceeds its room', () => {
    fc.assert(
      fc.property(inputs, fc.nat(300), (entries, room) => {
        const tally: Tally = tallyOf(entries);
        const rollup = rollupOf(tally, room);
        expect(rollup.length).toBeLessThanOrEqual(room);
        expect(rollup).not.toMatch(/^[\s/]/);
        expect(rollupOf(tally, room)).toBe(rollup);
      }),
    );
  });

  it('names no author if none is known', () => {
    const nobody = entry(1, { author: '', phase: null, facts: factsOf('x') });
    expect(rollupOf(tallyOf([nobody]), 80)).toBe('1 entry: step-output 1');
  });

  it('of no entries shows a count of zero', () => {
    expect(rollupOf(tallyOf([]), 80)).toBe('0 entries');
    expect(mergeTallies([])).toEqual(tallyOf([]));
  });
});
