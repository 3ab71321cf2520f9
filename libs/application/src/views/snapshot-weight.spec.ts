import { viewSource } from '#context-views';
import { type Item, lazyItem } from '#shared-context';

import { weightOf } from './kept-weight.js';

const characters = 400_000;
const few = 100;

/** Items with large bodies, packed as the cache holds them. */
const inherited = (['decision', 'preference', 'global'] as const).map((kind): Item => {
  const text = 'x'.repeat(characters);
  const body = kind === 'decision' ? { decisionId: 'k', decision: text } : text;
  const state = kind === 'decision' ? { status: 'live', version: -1 } : {};
  return lazyItem({ kind, key: 'k', fromVersion: -1, state }, () => body);
});
const fork = viewSource({ contextId: 'fork', items: inherited });

describe('what a context weighs that is kept between views', () => {
  it('is what a fork has inherited too, although its head does not count that', () => {
    const weight = weightOf({ tokens: few }, fork);
    expect(weight).toBeGreaterThan((inherited.length * characters) / 4);
    expect(weight).toBeLessThan((inherited.length * characters) / 4 + 10_000);
  });

  it('is what its events come to, if views do not tell all of it', () => {
    const tokens = characters * 2;
    expect(weightOf({ tokens }, fork)).toBeGreaterThan(tokens);
  });
});
