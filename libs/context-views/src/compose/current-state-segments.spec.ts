import { lazyItem } from '#shared-context';

import { viewSource } from '../sources/view-source.js';
import { tokenizerOf } from '../tokens/tokenizer.js';
import { renderView } from '../view.js';

const count = 12;
const budget = { tokenizer: tokenizerOf('chars4'), newest: 3, overflow: 'refuse' as const };

/** Values whose bodies are not in memory, and how often these were read. */
function packedValues(kind: 'global' | 'preference') {
  const seen = { reads: 0 };
  const items = Array.from({ length: count }, (_, n) =>
    lazyItem({ kind, key: `k${n}`, fromVersion: 2, state: {} }, () => {
      seen.reads += 1;
      return `${n}. What everybody has to know. `.repeat(2_000);
    }),
  );
  return { items, seen };
}

describe('large values that are not in memory', () => {
  it.each([
    ['shortened', 'global'],
    ['pinned', 'preference'],
  ] as const)('are not read for each view that was tried if they are %s', (_, kind) => {
    const { items, seen } = packedValues(kind);
    const source = viewSource({ contextId: 'c', items });
    const reads = [8_000, 8_001, 8_002].map((maxTokens) => {
      const before = seen.reads;
      renderView(source, undefined, { ...budget, maxTokens });
      return seen.reads - before;
    });
    // The first view counts each of them whole, and lines and digests of what is pinned are made once.
    expect(reads[0]).toBeLessThanOrEqual(count * (kind === 'global' ? 2 : 6));
    // Later ones try only whether the first one fits as it is.
    expect(reads.slice(1).every((each) => each <= 2)).toBe(true);
  });
});
