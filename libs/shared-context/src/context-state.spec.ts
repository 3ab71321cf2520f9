import { did, recordContextEvent } from '#testing';

import { ContextState } from './context-state.js';
import { type Item } from './item.js';

const item: Item = { kind: 'preference', key: 'a', fromVersion: 1, state: {}, body: 1 };
const set = (version: number, values: Record<string, never | number | null>) =>
  recordContextEvent(did('PreferencesSet', { values }), version);

function bodies(state: ContextState) {
  return Object.fromEntries([...state.values()].map(({ key, body }) => [key, body]));
}

describe('the state of a context', () => {
  it('stays what it was when events are applied', () => {
    const first = ContextState.from([item]);
    const second = first.apply(set(2, { b: 2 }));
    const third = second.apply(set(3, { a: null, b: 3 }));
    expect([first, second, third].map(bodies)).toEqual([{ a: 1 }, { a: 1, b: 2 }, { b: 3 }]);
    expect(first.get('preference', 'b')).toBeUndefined();
    expect(second.get('preference', 'a')?.body).toBe(1);
    expect(second.get('preference', 'b')?.body).toBe(2);
    expect(third.get('preference', 'a')).toBeUndefined();
  });

  it('branches', () => {
    const first = ContextState.from([item]);
    const left = first.apply(set(2, { a: 2 })).apply(set(3, { b: 3 }));
    const right = first.apply(set(2, { c: 4 }));
    expect([first, left, right].map(bodies)).toEqual([{ a: 1 }, { a: 2, b: 3 }, { a: 1, c: 4 }]);
  });

  it('takes in items it had not loaded, and keeps what it knows', () => {
    const state = ContextState.from([item]).apply(set(2, { a: 2 }));
    const other = { ...item, key: 'z' };
    expect(bodies(state.with([item, other]))).toEqual({ a: 2, z: 1 });
  });

  it('says which version made an item', () => {
    const state = ContextState.from([item]).apply(set(7, { b: 2 }));
    expect(state.get('preference', 'a')?.fromVersion).toBe(1);
    expect(state.get('preference', 'b')?.fromVersion).toBe(7);
  });
});
