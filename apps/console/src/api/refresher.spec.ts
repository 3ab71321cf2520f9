import { Refresher } from './refresher.js';

/** A refresher whose waiting time, and whose reads, end when the test ends them. */
function startRefresher() {
  const scheduled = new Set<() => void>();
  const reads: { includesImmutable: boolean; end: () => void }[] = [];
  const refresher = new Refresher(
    (includesImmutable) =>
      new Promise<void>((resolve) => reads.push({ includesImmutable, end: () => resolve() })),
    (run) => {
      scheduled.add(run);
      return () => scheduled.delete(run);
    },
  );
  const wait = () => {
    const due = [...scheduled];
    scheduled.clear();
    for (const run of due) run();
  };
  const endRead = async (at: number) => {
    reads[at]?.end();
    await new Promise((resolve) => setTimeout(resolve));
  };
  return { refresher, reads, wait, endRead };
}

describe('Refresher', () => {
  it('reads once for changes that arrive together', () => {
    const { refresher, reads, wait } = startRefresher();
    for (const isReset of [false, true, false]) refresher.change(isReset);
    expect(reads).toEqual([]);
    wait();
    wait();
    expect(reads).toMatchObject([{ includesImmutable: true }]);
  });

  it('reads once more after a read during which changes arrived', async () => {
    const { refresher, reads, wait, endRead } = startRefresher();
    refresher.change(true);
    wait();
    refresher.change(false);
    refresher.change(false);
    wait();
    expect(reads).toHaveLength(1);
    await endRead(0);
    wait();
    expect(reads).toMatchObject([{ includesImmutable: true }, { includesImmutable: false }]);
    await endRead(1);
    wait();
    expect(reads).toHaveLength(2);
  });

  it('does not read after it was stopped', async () => {
    const { refresher, reads, wait, endRead } = startRefresher();
    refresher.change(false);
    wait();
    refresher.change(false);
    refresher.stop();
    await endRead(0);
    wait();
    expect(reads).toHaveLength(1);
  });
});
