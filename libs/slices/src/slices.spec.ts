import { runAtOnce, runInSlices } from './slices.js';

function* countdown(from: number, visit: () => void = () => undefined) {
  for (let left = from; left > 0; left--) {
    visit();
    yield;
  }
  return 'done';
}

describe('long work', () => {
  it('is run to its end, at once or in slices', async () => {
    expect(runAtOnce(countdown(1_000))).toBe('done');
    await expect(runInSlices(countdown(1_000))).resolves.toBe('done');
  });

  it('lets others go on between its slices', async () => {
    let isOver = false;
    let turns = 0;
    const count = () => {
      turns += 1;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    const work = () => {
      const end = performance.now() + 1;
      while (performance.now() < end);
    };
    await runInSlices(countdown(100, work));
    isOver = true;
    // A hundred steps of a millisecond are several slices of ten.
    expect(turns).toBeGreaterThanOrEqual(5);
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
