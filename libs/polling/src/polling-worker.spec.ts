import { PollingWorker } from './polling-worker.js';

/** A wait this long never ends within a test. */
const never = 600_000;

type Step = (stopping: AbortSignal) => Promise<number | undefined> | number | undefined;

describe('a polling worker', () => {
  /** Runs one step in each pass, and idles after the last one. */
  const workerOf = (steps: readonly Step[], idleMs = never, retryMs = { first: 1, longest: 4 }) => {
    const done = Promise.withResolvers<void>();
    const failures: [unknown, number][] = [];
    let passes = 0;
    const worker: PollingWorker = new PollingWorker(
      async () => {
        const step = steps[passes++];
        if (passes >= steps.length) done.resolve();
        return step?.(worker.stopping);
      },
      { idleMs, retryMs, failed: (error, retryInMs) => failures.push([error, retryInMs]) },
    );
    return { worker, done: done.promise, failures, passes: () => passes };
  };

  const fail = (message: string) => () => Promise.reject(new Error(message));
  const idle = () => undefined;

  it('repeats its pass at once, after the pause that the pass returns, or after its interval', async () => {
    const { worker, done, failures } = workerOf([() => 0, () => 1, idle, idle], 1);
    worker.start();
    await done;
    await worker.stop();
    expect(failures).toEqual([]);
  });

  it('runs one pass at a time, even if it is started twice', async () => {
    let running = 0;
    let maxRunning = 0;
    const step = async () => {
      maxRunning = Math.max(maxRunning, ++running);
      await Promise.resolve();
      running -= 1;
      return 0;
    };
    const { worker, done } = workerOf([step, step, step]);
    worker.start();
    worker.start();
    await done;
    await worker.stop();
    expect(maxRunning).toBe(1);
  });

  it('is woken while it idles', async () => {
    const idling = Promise.withResolvers<void>();
    const { worker, done } = workerOf([() => void setImmediate(idling.resolve), idle]);
    worker.start();
    await idling.promise;
    worker.wake();
    await done;
    await worker.stop();
  });

  it('runs one more pass if it is woken during a pass', async () => {
    const { worker, done, passes } = workerOf([() => void worker.wake(), idle]);
    worker.start();
    await done;
    await new Promise((resolve) => setImmediate(resolve));
    expect(passes()).toBe(2);
    await worker.stop();
  });

  it('is not woken from a pause that a pass has requested', async () => {
    const pausing = Promise.withResolvers<void>();
    const { worker, passes } = workerOf([
      () => {
        setImmediate(pausing.resolve);
        return never;
      },
    ]);
    worker.start();
    await pausing.promise;
    worker.wake();
    await new Promise((resolve) => setImmediate(resolve));
    await worker.stop();
    expect(passes()).toBe(1);
  });

  it('reports failures and waits longer after each consecutive one, until a pass succeeds', async () => {
    const steps = [...['a', 'b', 'c', 'd'].map(fail), () => 0, fail('e'), idle];
    const { worker, done, failures } = workerOf(steps);
    worker.start();
    await done;
    await worker.stop();
    expect(failures).toEqual([
      [new Error('a'), 1],
      [new Error('b'), 2],
      [new Error('c'), 4],
      [new Error('d'), 4],
      [new Error('e'), 1],
    ]);
  });

  it('stops when the current pass has ended, and does not report a failure of that pass', async () => {
    const started = Promise.withResolvers<void>();
    let hasEnded = false;
    const { worker, failures, passes } = workerOf([
      async (stopping) => {
        started.resolve();
        await new Promise((resolve) => stopping.addEventListener('abort', resolve));
        await new Promise((resolve) => setImmediate(resolve));
        hasEnded = true;
        throw new Error('aborted');
      },
      idle,
    ]);
    worker.start();
    await started.promise;
    await worker.stop();
    expect([hasEnded, failures, passes()]).toEqual([true, [], 1]);
  });

  it.each([
    { allowsExit: false, timers: 1 },
    { allowsExit: true, timers: 0 },
  ])(
    'prevents its process from exiting unless that is allowed: %j',
    async ({ allowsExit, timers }) => {
      const count = () =>
        process.getActiveResourcesInfo().filter((type) => type === 'Timeout').length;
      const idling = Promise.withResolvers<void>();
      const worker = new PollingWorker(
        () => {
          setImmediate(idling.resolve);
          return Promise.resolve(undefined);
        },
        { idleMs: never, retryMs: { first: 1, longest: 1 }, allowsExit },
      );
      const before = count();
      worker.start();
      await idling.promise;
      expect(count() - before).toBe(timers);
      await worker.stop();
    },
  );

  it('stops at once while it idles or before it was started, and does not start again', async () => {
    const idling = workerOf([idle]);
    idling.worker.start();
    await idling.done;
    await idling.worker.stop();
    idling.worker.wake();
    idling.worker.start();
    const unstarted = workerOf([idle]);
    await unstarted.worker.stop();
    unstarted.worker.start();
    await new Promise((resolve) => setImmediate(resolve));
    expect([idling.passes(), unstarted.passes()]).toEqual([1, 0]);
  });
});
