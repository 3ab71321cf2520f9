import { lazyItem } from '#shared-context';

import { viewSource } from '../sources/view-source.js';
import { tokenizerOf } from '../tokens/tokenizer.js';
import { renderView } from '../view.js';

const count = 12;
const budget = { tokenizer: tokenizerOf('chars4'), newest: 3, overflow: 'refuse' as const };

/** Values whose bodies are not in memory, and a counter of reads. */
function packedValues(kind: 'global' | 'preference') {
  const counter = { reads: 0 };
  const items = Array.from({ length: count }, (_, n) =>
    lazyItem({ kind, key: `k${n}`, fromVersion: 2, state: {} }, () => {
      counter.reads += 1;
      return `${n}. What everybody has to know. `.repeat(2_000);
    }),
  );
  return { items, counter };
}

describe('large values that are not in memory', () => {
  it.each([
    ['shortened', 'global'],
    ['pinned', 'preference'],
  ] as const)('are not read again for each view if they are %s', (_, kind) => {
    const { items, counter } = packedValues(kind);
    const source = viewSource({ contextId: 'c', items });
    const reads = [8_000, 8_001, 8_002].map((maxTokens) => {
      const before = counter.reads;
      renderView(source, undefined, { ...budget, maxTokens });
      return counter.reads - before;
    });
    // The first view reads each value to count it whole, and pinned values also for lines and digests.
    expect(reads[0]).toBeLessThanOrEqual(count * (kind === 'global' ? 2 : 6));
    // Later views read a value only to check whether the first one fits whole.
    expect(reads.slice(1).every((each) => each <= 2)).toBe(true);
  });
});
