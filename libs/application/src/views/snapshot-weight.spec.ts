import { viewSource } from '#context-views';
import { type Item, lazyItem } from '#shared-context';

import { weightOf } from './view-snapshot.js';

const characters = 400_000;
const few = 100;

/** Items with large bodies, packed as in the cache. */
const inherited = (['decision', 'preference', 'global'] as const).map((kind): Item => {
  const text = 'x'.repeat(characters);
  const body = kind === 'decision' ? { decisionId: 'k', decision: text } : text;
  const state = kind === 'decision' ? { status: 'live', version: -1 } : {};
  return lazyItem({ kind, key: 'k', fromVersion: -1, state }, () => body);
});
const source = viewSource({ contextId: 'fork', items: inherited });
const snapshotOf = (tokens: number) => ({ head: { tokens }, now: { source } });

describe('the weight of a cached snapshot', () => {
  it('includes the inherited items of a fork, although its head does not count them', () => {
    const weight = weightOf(snapshotOf(few));
    expect(weight).toBeGreaterThan((inherited.length * characters) / 4);
    expect(weight).toBeLessThan((inherited.length * characters) / 4 + 10_000);
  });

  it('includes the events that views do not show', () => {
    const tokens = characters * 2;
    expect(weightOf(snapshotOf(tokens))).toBeGreaterThan(tokens);
  });
});
