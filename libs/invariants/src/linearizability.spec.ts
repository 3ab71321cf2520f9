import fc from 'fast-check';

import { type Operation, checkLinearizability } from './linearizability.js';

type Step = Readonly<{
  kind: 'append' | 'read';
  stream: number;
  at: number;
  early: number;
  late: number;
  count: number;
  guess: number;
  lost: 'answered' | 'unanswered' | 'never arrived';
}>;

const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom('append', 'append', 'read'),
  stream: fc.integer({ min: 0, max: 2 }),
  at: fc.integer({ min: 0, max: 1_000 }),
  early: fc.integer({ min: 0, max: 100 }),
  late: fc.integer({ min: 0, max: 100 }),
  count: fc.integer({ min: 1, max: 3 }),
  guess: fc.constantFrom(0, 0, 0, 1, 2),
  lost: fc.constantFrom('answered', 'answered', 'answered', 'unanswered', 'never arrived'),
});

type Run = Readonly<{ operations: readonly Operation[]; last: ReadonlyMap<string, number> }>;

/** A store that is linearizable by construction: every operation takes effect at its own instant, one after another. */
function runCorrectly(steps: readonly Step[]): Run {
  const last = new Map<string, number>();
  const operations = [...steps]
    .sort((left, right) => left.at - right.at)
    .map((each, n): Operation => {
      const base = {
        stream: `s${each.stream}`,
        client: `c${n}`,
        inv: each.at * 1e3 + n - each.early * 1e3,
        ret: each.at * 1e3 + n + each.late * 1e3,
      };
      const version = last.get(base.stream) ?? 0;
      if (each.kind === 'read') return { ...base, kind: 'read', version };
      if (each.lost === 'never arrived')
        return { ...base, ret: Infinity, kind: 'unknown-append', count: each.count };
      const expected = Math.max(version - each.guess, 0);
      if (expected !== version) return { ...base, kind: 'conflict', expected, actual: version };
      last.set(base.stream, version + each.count);
      if (each.lost === 'unanswered')
        return { ...base, ret: Infinity, kind: 'unknown-append', count: each.count };
      return { ...base, kind: 'append', from: version + 1, to: version + each.count, expected };
    });
  return { operations, last };
}

type Append = Extract<Operation, { kind: 'append' }>;

/** Anomalies of a broken store, inserted into a correct history; `chance` chooses the position. */
const anomalies: Readonly<
  Record<string, (run: Run, appends: readonly Append[], chance: number) => Run>
> = {
  // The last append of a stream was acknowledged, but is missing.
  'a lost write': ({ operations, last }, appends, chance) => {
    const { stream } = pick(appends, chance);
    const [newest] = appends.filter((append) => append.stream === stream).slice(-1);
    return { operations, last: new Map(last).set(stream, (newest?.from ?? 1) - 1) };
  },
  'the same version twice': ({ operations, last }, appends, chance) => {
    const append = pick(appends, chance);
    const twin = { ...append, client: 'twin', expected: undefined };
    return { operations: [...operations, twin], last };
  },
  'a stale read': ({ operations, last }, appends, chance) => {
    const { stream, from, ret } = pick(appends, chance);
    const times = { inv: ret + 1, ret: ret + 2 };
    const read = { stream, client: 'reader', kind: 'read' as const, version: from - 1, ...times };
    return { operations: [...operations, read], last };
  },
  'a conflict that is not justified': ({ operations, last }, appends, chance) => {
    const { stream, from, ret } = pick(appends, chance);
    const versions = { actual: from - 1, expected: from };
    const times = { inv: ret + 1, ret: ret + 2 };
    const conflict = {
      stream,
      client: 'refused',
      kind: 'conflict' as const,
      ...versions,
      ...times,
    };
    return { operations: [...operations, conflict], last };
  },
  // Only appends, because reads of the state in between would be stale as well.
  'an inverted order': ({ last }, appends, chance) => {
    const earlier = pick(appends.slice(0, -1), chance);
    const later = appends[appends.indexOf(earlier) + 1];
    const before = { inv: earlier.inv - 2, ret: earlier.inv - 1 };
    return {
      operations: appends.map((each) => (each === later ? { ...later, ...before } : each)),
      last,
    };
  },
};

const expectedKinds: Readonly<Record<string, string>> = {
  'a lost write': 'lost-write',
  'the same version twice': 'same-version-twice',
  'a stale read': 'stale-read',
  'a conflict that is not justified': 'conflict-not-justified',
  'an inverted order': 'real-time-order-inverted',
};

describe('the linearizability checker', () => {
  it('reports nothing for histories of a linearizable store', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const { operations, last } = runCorrectly(steps);
        expect(checkLinearizability(operations, last)).toEqual([]);
        expect(checkLinearizability(operations)).toEqual([]);
      }),
      { numRuns: 2_000 },
    );
  });

  it.each(Object.keys(anomalies))('finds %s at every position of a history', (name) => {
    const history = fc.array(step, { minLength: 10, maxLength: 120 }).map((steps) =>
      // Answers every step and uses one stream, so that there are at least two appends.
      runCorrectly(steps.map((each) => ({ ...each, lost: 'answered', stream: 0 }))),
    );
    fc.assert(
      fc.property(history, fc.nat(), (run, chance) => {
        const appends = run.operations.filter((each) => each.kind === 'append');
        fc.pre(appends.length > 1);
        const broken = anomalies[name]?.(run, appends, chance) ?? run;
        const kinds = checkLinearizability(broken.operations, broken.last).map(({ kind }) => kind);
        expect(kinds).toContain(expectedKinds[name]);
      }),
      { numRuns: 300 },
    );
  });

  it('finds a read that returns an older version than an earlier read, while the append between them is running', () => {
    const append = { kind: 'append' as const, from: 1, to: 1, expected: 0, inv: 0, ret: 100 };
    const reads = [
      { kind: 'read' as const, version: 1, inv: 10, ret: 11 },
      { kind: 'read' as const, version: 0, inv: 20, ret: 21 },
    ];
    const operations = [append, ...reads].map((each, n) => ({
      ...each,
      stream: 's',
      client: `c${n}`,
    }));
    expect(checkLinearizability(operations)).toMatchObject([{ stream: 's', kind: 'stale-read' }]);
  });

  it('finds a read of a version inside an append of several events', () => {
    const operations: Operation[] = [
      { kind: 'append', from: 1, to: 3, expected: 0, inv: 0, ret: 9, stream: 's', client: 'a' },
      { kind: 'read', version: 2, inv: 1, ret: 8, stream: 's', client: 'b' },
    ];
    expect(checkLinearizability(operations)).toMatchObject([{ kind: 'torn-batch' }]);
  });

  it('finds a version that no operation can have written', () => {
    const operations: Operation[] = [
      { kind: 'append', from: 2, to: 2, expected: 1, inv: 0, ret: 9, stream: 's', client: 'a' },
      { kind: 'unknown-append', count: 1, inv: 10, ret: Infinity, stream: 's', client: 'b' },
    ];
    expect(checkLinearizability(operations.slice(0, 1))).toMatchObject([
      { kind: 'version-nobody-wrote' },
    ]);
    // The only append that could have written it was called too late.
    expect(checkLinearizability(operations)).toMatchObject([{ kind: 'real-time-order-inverted' }]);
  });

  it('checks a hundred thousand operations', () => {
    const steps = fc.sample(step, { numRuns: 100_000, seed: 20261121 });
    const { operations, last } = runCorrectly(steps);
    expect(operations).toHaveLength(100_000);
    expect(checkLinearizability(operations, last)).toEqual([]);
  });
});

function pick<Item>(items: readonly Item[], chance: number): Item {
  const item = items[chance % items.length];
  if (item === undefined) throw new Error('there is no item to choose');
  return item;
}
