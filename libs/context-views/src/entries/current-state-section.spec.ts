import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { type Item, finish, lazyItem } from '#shared-context';

import {
  type PartFacts,
  CurrentStateSection,
  lazyPart,
  newestOf,
} from './current-state-section.js';

const length = 500_000;
const mebibyte = 1_048_576;

function partOf(item: Item, whole: string): PartFacts {
  const facts = { ref: item.key, section: 'global', version: 1, pinned: false } as const;
  return { ...facts, whole, brief: whole.slice(0, 10) };
}

/** Rebuilds the text of each part. */
function* make(item: Item): Generator<void, PartFacts> {
  yield;
  return partOf(item, `${item.key} `.repeat(length / (item.key.length + 1)));
}

function itemOf(n: number): Item {
  const facts = { kind: 'global', key: `k${n}`, fromVersion: 1, state: {}, sources: [] } as const;
  return lazyItem(facts, () => null);
}

describe('a lazy part', () => {
  it('keeps no text in memory', () => {
    // Only this test needs to collect garbage.
    setFlagsFromString('--expose-gc');
    const collect: () => void = runInNewContext('gc');
    collect();
    const before = process.memoryUsage().heapUsed;
    const parts = Array.from(
      { length: 40 },
      (_, n) => new CurrentStateSection(finish(lazyPart(itemOf(n), make))),
    );
    // Flattens a text, like counting its tokens.
    for (const part of parts) part.whole.charCodeAt(1);
    collect();
    const retained = process.memoryUsage().heapUsed - before;
    expect(retained).toBeLessThan(8 * mebibyte);
    expect(parts.map(({ whole }) => whole.length)).toEqual(parts.map((part) => part.length));
  });
});

describe('the current state', () => {
  it('has the newest version of its parts, also of very many', () => {
    const parts = Array.from({ length: 400_000 }, (_, at) => ({ version: at + 2 }));
    expect(newestOf(parts)).toBe(400_001);
    expect(newestOf([])).toBe(1);
  });
});
