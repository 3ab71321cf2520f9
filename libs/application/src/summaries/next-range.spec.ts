import fc from 'fast-check';

import { refOf } from '#context-views';
import { type ItemKind, maxSources } from '#shared-context';
import { type SizedItem } from '#read-models';

import { nextRange } from './next-range.js';

const sized = (
  fromVersion: number,
  bytes: number,
  facts: { kind?: ItemKind; status?: string } = {},
) => ({
  item: {
    kind: facts.kind ?? 'step-output',
    key: `k-${fromVersion}`,
    fromVersion,
    state: facts.status === undefined ? {} : { status: facts.status },
    body: undefined,
  },
  bytes,
});
const versions = (items: readonly SizedItem[] = []) => items.map(({ item }) => item.fromVersion);

describe('the next range to summarize', () => {
  it('is undefined below the threshold', () => {
    expect(nextRange([sized(2, 40), sized(3, 356)], 100)).toEqual({
      tokens: 99,
      range: undefined,
    });
  });

  it('has the oldest items, with about as many tokens as the threshold', () => {
    const items = [sized(5, 400), sized(2, 200), sized(3, 201), sized(9, 4_000)];
    const { tokens, range } = nextRange(items, 100);
    expect(tokens).toBe(1_201);
    expect(versions(range?.items)).toEqual([2, 3]);
    expect(range).toMatchObject({ to: 3, tokens: 101 });
  });

  it('never divides the items of one version', () => {
    const twice = [
      sized(3, 400),
      { ...sized(3, 400), item: { ...sized(3, 0).item, key: 'other' } },
    ];
    expect(versions(nextRange([sized(2, 4), ...twice], 100).range?.items)).toEqual([2, 3, 3]);
  });

  it('ends before its refs exceed one append', () => {
    const odd = Array.from({ length: 300 }, (_, at) => {
      const { item, bytes } = sized(at, 4);
      return { item: { ...item, key: `${'\u0001'.repeat(500)}${at}` }, bytes };
    });
    const { range } = nextRange(odd, 300);
    const refs = range?.items.map(({ item }) => refOf(item).length) ?? [];
    expect(refs.reduce((sum, length) => sum + length, 0)).toBeGreaterThan(250_000);
    expect(refs.reduce((sum, length) => sum + length, 0)).toBeLessThan(262_145);
  });

  it('omits open items, because they may still change', () => {
    const items = [
      sized(2, 4_000, { kind: 'handover', status: 'open' }),
      sized(3, 4_000, { kind: 'task', status: 'in_progress' }),
      sized(4, 40),
    ];
    expect(nextRange(items, 100)).toEqual({ tokens: 10, range: undefined });
  });

  it('covers each item once, in ranges of limited size', () => {
    const item = fc.record({ version: fc.integer({ min: -50, max: 900 }), bytes: fc.nat(2_000) });
    const context = fc.uniqueArray(item, { selector: ({ version }) => version, maxLength: 800 });
    fc.assert(
      fc.property(context, fc.integer({ min: 1, max: 500 }), (stated, threshold) => {
        let left = stated.map(({ version, bytes }) => sized(version, bytes));
        const covered: number[] = [];
        for (;;) {
          const { tokens, range } = nextRange(left, threshold);
          if (!range) {
            expect(tokens).toBeLessThan(threshold);
            break;
          }
          expect(range.items.length).toBeLessThanOrEqual(maxSources);
          covered.push(...versions(range.items));
          left = left.filter(({ item: { fromVersion } }) => fromVersion > range.to);
        }
        const rest = versions(left).toSorted((one, other) => one - other);
        expect([...covered, ...rest]).toEqual(
          stated.map(({ version }) => version).toSorted((one, other) => one - other),
        );
      }),
      { numRuns: 50 },
    );
  });
});
