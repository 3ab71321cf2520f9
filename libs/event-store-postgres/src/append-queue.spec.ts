import { newEvents, newStream, upTo } from '#testing';

import { AppendQueue, maxAppendsPerBatch, maxBatchBytes, minSecondBatch } from './append-queue.js';
import { PendingAppend } from './pending-append.js';

type SentBatch = { batch: readonly PendingAppend[]; answer: (again?: PendingAppend[]) => void };

/** A queue whose sender waits until the test answers. */
function openQueue() {
  const sent: SentBatch[] = [];
  const queue = new AppendQueue(
    (batch) =>
      new Promise((resolve) => {
        sent.push({ batch, answer: (again = []) => resolve(again) });
      }),
  );
  return { queue, sent, sizes: () => sent.map(({ batch }) => batch.length) };
}

function appendTo(stream = newStream(), bytes = 100): PendingAppend {
  return new PendingAppend(stream, newEvents(1), 'no-stream', { bytes });
}

function add(queue: AppendQueue, count: number): void {
  for (const append of upTo(count).map(() => appendTo())) queue.add(append);
}

async function turn(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
  await new Promise((resolve) => setImmediate(resolve));
}

describe('AppendQueue', () => {
  test('sends appends of one turn of the event loop as one batch', async () => {
    const { queue, sizes } = openQueue();
    add(queue, 10);
    expect(sizes()).toEqual([]);
    await turn();
    expect(sizes()).toEqual([10]);
  });

  test('collects appends while a batch is in flight', async () => {
    const { queue, sent, sizes } = openQueue();
    for (let calls = 1; calls <= 5; calls++) {
      add(queue, 1);
      await turn();
    }
    expect(sizes()).toEqual([1]);
    sent[0]?.answer();
    await turn();
    expect(sizes()).toEqual([1, 4]);
  });

  test('sends a second concurrent batch if it is large enough, and no third', async () => {
    const { queue, sizes } = openQueue();
    add(queue, 1);
    await turn();
    add(queue, minSecondBatch - 1);
    await turn();
    expect(sizes()).toEqual([1]);
    add(queue, 1);
    await turn();
    expect(sizes()).toEqual([1, minSecondBatch]);
    add(queue, 2 * maxAppendsPerBatch);
    await turn();
    expect(sizes()).toEqual([1, minSecondBatch]);
  });

  test('limits the appends and bytes of a batch', async () => {
    const { queue, sent, sizes } = openQueue();
    add(queue, maxAppendsPerBatch + 1);
    await turn();
    expect(sizes()).toEqual([maxAppendsPerBatch]);
    sent[0]?.answer();
    await turn();
    for (const stream of [newStream(), newStream()])
      queue.add(appendTo(stream, maxBatchBytes / 2 + 1));
    sent[1]?.answer();
    await turn();
    expect(sizes()).toEqual([maxAppendsPerBatch, 1, 1]);
  });

  test('sends a stream in one batch at a time, and its appends in order', async () => {
    const { queue, sent } = openQueue();
    const [first, second, third] = [appendTo('s'), appendTo('s'), appendTo('s')];
    queue.add(first);
    await turn();
    queue.add(second);
    add(queue, minSecondBatch);
    queue.add(third);
    await turn();
    expect(sent[1]?.batch).toHaveLength(minSecondBatch);
    sent[1]?.answer();
    await turn();
    expect(sent).toHaveLength(2);
    sent[0]?.answer();
    await turn();
    expect(sent[2]?.batch).toEqual([second, third]);
  });

  test('sends unsettled appends again before waiting ones', async () => {
    const { queue, sent } = openQueue();
    const [first, second] = [appendTo('s'), appendTo('s')];
    queue.add(first);
    await turn();
    queue.add(second);
    sent[0]?.answer([first]);
    await turn();
    expect(sent[1]?.batch).toEqual([first, second]);
  });

  test('never sends an append that its caller abandoned', async () => {
    const { queue, sizes } = openQueue();
    const abandoned = appendTo();
    queue.add(abandoned);
    abandoned.abandon();
    await turn();
    expect(sizes()).toEqual([]);
    queue.add(appendTo());
    await turn();
    expect(sizes()).toEqual([1]);
  });

  test('is drained when no append waits or is in flight', async () => {
    const { queue, sent } = openQueue();
    queue.add(appendTo());
    let isDrained = false;
    const drained = queue.drained().then(() => (isDrained = true));
    await turn();
    expect(isDrained).toBe(false);
    sent[0]?.answer();
    expect(await drained).toBe(true);
    await openQueue().queue.drained();
  });
});
