import { ConflictPauses } from './conflict-pauses.js';

const id = { workspace: 'w', contextId: 'hot' };
const writers = 30;

/** Pseudo-random numbers from 0 to 1; the same seed gives the same numbers. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32) / 2 ** 32;
}

/**
 * Simulates writers that read a version, write on condition that it is still the newest, and after a conflict wait for
 * the suggested pause, until each has stored `writes` writes. Returns the number of tries of each write, in ascending
 * order.
 */
function race({ latencyMs, writes, seed }: Record<'latencyMs' | 'writes' | 'seed', number>) {
  const [pauses, random] = [new ConflictPauses(), randomOf(seed)];
  const due: Readonly<{ at: number; act: () => void }>[] = [];
  const tries: number[] = [];
  let [now, version] = [0, 0];
  const after = (ms: number, act: () => void) => void due.push({ at: now + ms, act });
  const latency = () => latencyMs * (0.5 + random());
  const write = (left: number, tried: number): void =>
    after(latency(), () => {
      const read = version;
      after(latency(), () => {
        if (read !== version)
          return after(pauses.next(id, now, random()), () => write(left, tried + 1));
        version += 1;
        tries.push(tried);
        if (left > 1) write(left - 1, 1);
      });
    });
  for (let n = 0; n < writers; n++) write(writes, 1);
  while (due.length > 0) {
    const next = due.reduce((first, one) => (one.at < first.at ? one : first));
    due.splice(due.indexOf(next), 1);
    now = next.at;
    next.act();
  }
  return tries.toSorted((a, b) => a - b);
}

describe('writers of one context that wait for the suggested pause', () => {
  it.each([3, 10, 30])(
    'need fewer than 10 tries each, 99 times of 100, with calls of %d ms',
    (latencyMs) => {
      for (const writes of [1, 5])
        for (let seed = 1; seed <= 10; seed++) {
          const tries = race({ latencyMs, writes, seed });
          expect(tries).toHaveLength(writers * writes);
          expect(tries[Math.floor(tries.length * 0.99)]).toBeLessThan(10);
        }
    },
  );
});

describe('a pause after a conflict', () => {
  it('grows only with conflicts of the same context, and shrinks with time', () => {
    const pauses = new ConflictPauses();
    for (let n = 0; n < 100; n++) pauses.next(id, 0, 1);
    expect(pauses.next(id, 0, 1)).toBeGreaterThan(2_000);
    expect(pauses.next({ ...id, contextId: 'other' }, 0, 1)).toBe(100);
    expect(pauses.next(id, 60_000, 1)).toBe(100);
  });

  it('is at most 10 seconds', () => {
    const pauses = new ConflictPauses();
    for (let n = 0; n < 10_000; n++) pauses.next(id, 0, 1);
    expect(pauses.next(id, 0, 1)).toBe(10_000);
  });
});
