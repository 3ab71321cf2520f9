import { ContextState, type Item, bodyReaderOf } from '#shared-context';
import { did, recordContextEvent } from '#testing';

import { packTouched } from './packed-body.js';

const large = (n: number) => `${n} `.repeat(20_000);
const set = (version: number, name: string, value: string) =>
  recordContextEvent(did('PreferencesSet', { values: { [name]: value } }), version);

/** Counts how often packing after ten events reads the keys of `count` unrelated items. */
function readsOfOthers(count: number): number {
  let reads = 0;
  const others = Array.from({ length: count }, (_, n): Item => ({
    kind: 'preference',
    fromVersion: 1,
    state: {},
    body: n,
    get key() {
      reads += 1;
      return `k${n}`;
    },
  }));
  let state = ContextState.from(others);
  reads = 0;
  for (let n = 1; n <= 10; n++) {
    const event = set(n + 1, `large-${n}`, large(n));
    state = packTouched(state.apply(event), event);
  }
  return reads;
}

describe('packTouched', () => {
  it('does not read items that the event does not touch', () => {
    expect(readsOfOthers(1_000)).toBe(readsOfOthers(100));
  });

  it('changes no value in the state or in earlier states', () => {
    const [first, second] = [set(1, 'a', large(1)), set(2, 'a', large(2))];
    const before = packTouched(ContextState.from([]).apply(first), first);
    const after = packTouched(before.apply(second), second);
    for (const [state, value] of [
      [before, large(1)],
      [after, large(2)],
    ] as const) {
      const item = state.get('preference', 'a');
      expect(item && bodyReaderOf(item)).toBeDefined();
      expect(item?.body === value).toBe(true);
    }
  });
});
