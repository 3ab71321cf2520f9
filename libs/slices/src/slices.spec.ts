import { Slice, runAtOnce, runInSlices } from './slices.js';

function* countdown(from: number, visit: () => void = () => undefined) {
  for (let left = from; left > 0; left--) {
    visit();
    yield;
  }
  return 'done';
}

function workOneMs(): void {
  const end = performance.now() + 1;
  while (performance.now() < end);
}

/** Counts the turns of the event loop until it is stopped. */
function countTurns() {
  let isOver = false;
  let turns = 0;
  const count = () => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  return {
    stop: () => {
      isOver = true;
      return turns;
    },
  };
}

describe('long work', () => {
  it('runs to its end, at once or in slices', async () => {
    expect(runAtOnce(countdown(1_000))).toBe('done');
    await expect(runInSlices(countdown(1_000))).resolves.toBe('done');
  });

  it('lets other work proceed between its slices', async () => {
    const turns = countTurns();
    await runInSlices(countdown(100, workOneMs));
    // A hundred steps of one millisecond fill several slices of ten.
    expect(turns.stop()).toBeGreaterThanOrEqual(5);
  });

  it('lets other work proceed as often if it pauses by itself', async () => {
    const turns = countTurns();
    const slice = new Slice();
    for (let left = 100; left > 0; left--) {
      workOneMs();
      if (slice.isOver) await slice.pause();
    }
    expect(turns.stop()).toBeGreaterThanOrEqual(5);
  });

  it('lets other work proceed between short pieces that follow one another without a pause', async () => {
    const turns = countTurns();
    for (let piece = 0; piece < 100; piece++) await runInSlices(countdown(1, workOneMs));
    expect(turns.stop()).toBeGreaterThanOrEqual(5);
  });

  it('takes turns with long work that begins at the same time, and lets other work proceed after each turn', async () => {
    const turns = countTurns();
    const order: string[] = [];
    const works = ['a', 'b', 'c'].map((name) =>
      runInSlices(
        countdown(50, () => {
          workOneMs();
          if (order.at(-1) !== name) order.push(name);
        }),
      ),
    );
    await Promise.all(works);
    expect(turns.stop()).toBeGreaterThanOrEqual(10);
    // Each piece had several turns, and none had two turns before each other piece had its first.
    expect(order.slice(0, 3).toSorted()).toEqual(['a', 'b', 'c']);
    expect(order.length).toBeGreaterThanOrEqual(9);
  });

  it('fails with the error of a step', async () => {
    function* failing(): Generator<void, string> {
      yield;
      throw new Error('broken');
    }
    await expect(runInSlices(failing())).rejects.toThrow('broken');
    expect(() => runAtOnce(failing())).toThrow('broken');
  });
});
