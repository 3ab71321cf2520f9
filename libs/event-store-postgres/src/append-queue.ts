import { type PendingAppend } from './pending-append.js';

/** Enough to spread one commit over a crowd, few enough that a batch's events stay in the server's work memory. */
export const maxAppendsPerBatch = 64;
export const maxBatchBytes = 2 * 1_048_576;

/** While one batch waits for the disk, the next is parsed and judged; a third would only wait for their lock. */
const maxBatchesInFlight = 2;

/**
 * Commits follow one another, so a small second batch spends a commit on few and leaves fewer for the next: it
 * waits for the first one's answer and leaves with those whom that wakes. On a slow disk this doubles throughput.
 */
export const minSecondBatch = 32;

/**
 * Group commit: appends called while others are on their way leave together with the next batch. A stream is in
 * one batch at a time, and its appends are judged in the order they were called; but one that a batch could not judge,
 * because an append before it moved the stream, is judged with the next batch, behind those that could be.
 */
export class AppendQueue {
  #waiting: PendingAppend[] = [];
  readonly #busyStreams = new Set<string>();
  readonly #inFlight = new Set<Promise<void>>();
  #flushing = false;

  /** `send` answers each append itself and returns those to send again. */
  constructor(
    private readonly send: (batch: readonly PendingAppend[]) => Promise<readonly PendingAppend[]>,
  ) {}

  add(append: PendingAppend): void {
    this.#waiting.push(append);
    this.#flushSoon();
  }

  /** Resolves when nothing is waiting or on its way any more. */
  async drained(): Promise<void> {
    while (this.#inFlight.size > 0 || this.#flushing) {
      await Promise.all(this.#inFlight);
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  /** After this turn of the event loop, so that all callers it wakes share the batch. */
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
    // They were called before anything that waits.
    this.#waiting.unshift(...again);
  }

  #take(): PendingAppend[] {
    const batch: PendingAppend[] = [];
    const left: PendingAppend[] = [];
    let bytes = 0;
    for (const append of this.#waiting) {
      if (append.settled) continue;
      const fits = batch.length < maxAppendsPerBatch && bytes + append.bytes <= maxBatchBytes;
      if (fits && !this.#busyStreams.has(append.stream)) {
        batch.push(append);
        bytes += append.bytes;
      } else left.push(append);
    }
    this.#waiting = left;
    return batch;
  }
}
