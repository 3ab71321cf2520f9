import { type PendingAppend } from './pending-append.js';

/**
 * Large enough to spread a commit over many appends, small enough that the events of a batch fit in the server's work
 * memory.
 */
export const maxAppendsPerBatch = 64;
export const maxBatchBytes = 2 * 1_048_576;

/**
 * While one batch waits for the disk, the server parses and checks the next one; a third would only wait for the lock.
 */
const maxBatchesInFlight = 2;

/**
 * Commits are sequential, so that a small second batch uses up a commit for few appends. It waits for the answer of the
 * first batch and is sent together with the appends of callers that the answer wakes. On a slow disk this doubles the
 * throughput.
 */
export const minSecondBatch = 32;

/**
 * Group commit: appends that are called while others are in flight are sent together in the next batch. A stream is in
 * one batch at a time, and its appends are checked in the order of their calls. An append that a batch could not check,
 * because an earlier append changed the stream, is checked in the next batch, after the checked ones.
 */
export class AppendQueue {
  #waiting: PendingAppend[] = [];
  readonly #busyStreams = new Set<string>();
  readonly #inFlight = new Set<Promise<void>>();
  #flushing = false;

  /** `send` settles each append itself and returns those to send again. */
  constructor(
    private readonly send: (batch: readonly PendingAppend[]) => Promise<readonly PendingAppend[]>,
  ) {}

  add(append: PendingAppend): void {
    this.#waiting.push(append);
    this.#flushSoon();
  }

  /** Resolves when no append waits or is in flight. */
  async drained(): Promise<void> {
    while (this.#inFlight.size > 0 || this.#flushing) {
      await Promise.all(this.#inFlight);
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  /** Runs after this turn of the event loop, so that all callers that an answer wakes share the batch. */
  #flushSoon(): void {
    if (this.#flushing || this.#inFlight.size >= maxBatchesInFlight) return;
    this.#flushing = true;
    setImmediate(() => {
      this.#flushing = false;
      this.#flush();
    });
  }

  #flush(): void {
    while (this.#inFlight.size < maxBatchesInFlight) {
      if (this.#inFlight.size > 0 && this.#waiting.length < minSecondBatch) return;
      const batch = this.#take();
      if (batch.length === 0) return;
      const sending = this.#dispatch(batch).finally(() => {
        this.#inFlight.delete(sending);
        if (this.#waiting.length > 0) this.#flushSoon();
      });
      this.#inFlight.add(sending);
    }
  }

  async #dispatch(batch: readonly PendingAppend[]): Promise<void> {
    const streams = new Set(batch.map(({ stream }) => stream));
    for (const stream of streams) this.#busyStreams.add(stream);
    const again = await this.send(batch);
    for (const stream of streams) this.#busyStreams.delete(stream);
    // They were called before all waiting appends.
    this.#waiting.unshift(...again);
  }

  #take(): PendingAppend[] {
    const batch: PendingAppend[] = [];
    const remaining: PendingAppend[] = [];
    let bytes = 0;
    for (const append of this.#waiting) {
      if (append.settled) continue;
      const fits = batch.length < maxAppendsPerBatch && bytes + append.bytes <= maxBatchBytes;
      if (fits && !this.#busyStreams.has(append.stream)) {
        batch.push(append);
        bytes += append.bytes;
      } else remaining.push(append);
    }
    this.#waiting = remaining;
    return batch;
  }
}
