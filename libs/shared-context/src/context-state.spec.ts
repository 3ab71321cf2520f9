import { did, recordContextEvent } from '#testing';

import { foldEvent, foldEventInSteps } from './context.fold.js';
import { ContextState } from './context-state.js';
import { type Item } from './item.js';

const item: Item = { kind: 'preference', key: 'a', fromVersion: 1, state: {}, body: 1 };
const set = (version: number, values: Record<string, never | number | null>) =>
  recordContextEvent(did('PreferencesSet', { values }), version);

function bodies(state: ContextState) {
  return Object.fromEntries([...state.values()].map(({ key, body }) => [key, body]));
}

function members(count: number, value: number): Record<string, number> {
  return Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, value]));
}

/** The number of steps to fold an event, and the maximum number of items that one step reads. */
function lookupsByStep(event: ReturnType<typeof set>, state: ContextState) {
  let [lookups, maximum, steps] = [0, 0, 0];
  const folding = foldEventInSteps(event, (kind, key) => {
    lookups += 1;
    return state.get(kind, key);
  });
  for (;;) {
    const { done } = folding.next();
    // The last step also reads the item with the sources of all patches.
    maximum = Math.max(maximum, done ? lookups - 1 : lookups);
    if (done) return { steps, maximum };
    steps += 1;
    lookups = 0;
  }
}

describe('the state of a context', () => {
  it('does not change when events are applied to it', () => {
    const first = ContextState.from([item]);
    const second = first.apply(set(2, { b: 2 }));
    const third = second.apply(set(3, { a: null, b: 3 }));
    expect([first, second, third].map(bodies)).toEqual([{ a: 1 }, { a: 1, b: 2 }, { b: 3 }]);
    expect(first.get('preference', 'b')).toBeUndefined();
    expect(second.get('preference', 'a')?.body).toBe(1);
    expect(second.get('preference', 'b')?.body).toBe(2);
    expect(third.get('preference', 'a')).toBeUndefined();
  });

  it('can be the base of several states', () => {
    const first = ContextState.from([item]);
    const left = first.apply(set(2, { a: 2 })).apply(set(3, { b: 3 }));
    const right = first.apply(set(2, { c: 4 }));
    expect([first, left, right].map(bodies)).toEqual([{ a: 1 }, { a: 2, b: 3 }, { a: 1, c: 4 }]);
  });

  it('does not change before the last step, whose result equals that of applying the event at once', () => {
    const event = set(2, members(2_000, 2));
    const first = ContextState.from([item, { ...item, key: 'k7' }]);
    const applying = first.applyInSteps(event, foldEvent(event, first.lookup));
    for (;;) {
      const { done, value } = applying.next();
      expect(first.get('preference', 'k7')?.body).toBe(1);
      expect(first.get('preference', 'k8')).toBeUndefined();
      if (!done) continue;
      const atOnce = ContextState.from(first.values()).apply(event);
      expect(bodies(value)).toEqual(bodies(atOnce));
      return;
    }
  });

  it.each<[string, (count: number) => ReturnType<typeof set>]>([
    ['members', (count) => set(2, members(count, 2))],
    ['members it does not change', (count) => set(2, members(count, 1))],
  ])('reads at most 256 items per step for a patch of any number of %s', (_, patch) => {
    for (const count of [10_000, 20_000]) {
      const state = ContextState.from(
        Object.keys(members(count, 1)).map((key) => ({ ...item, key })),
      );
      const { steps, maximum } = lookupsByStep(patch(count), state);
      expect(maximum).toBeLessThanOrEqual(256);
      expect(steps).toBeGreaterThanOrEqual(Math.floor(count / 256));
    }
  });

  it('accepts additional items, and retains the items that it has', () => {
    const state = ContextState.from([item]).apply(set(2, { a: 2 }));
    const other = { ...item, key: 'z' };
    expect(bodies(state.with([item, other]))).toEqual({ a: 2, z: 1 });
  });

  it('holds the version of the latest change of each item', () => {
    const state = ContextState.from([item]).apply(set(7, { b: 2 }));
    expect(state.get('preference', 'a')?.fromVersion).toBe(1);
    expect(state.get('preference', 'b')?.fromVersion).toBe(7);
  });
});
