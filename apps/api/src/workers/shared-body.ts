import { Readable } from 'node:stream';

/** Counts the bytes that are buffered for slower readers of shared answers, in one process. */
export class SharedMemory {
  #usedBytes = 0;
  readonly #waiting = new Set<() => void>();

  constructor(private readonly maxBytes: number) {}

  get usedBytes(): number {
    return this.#usedBytes;
  }

  get isFull(): boolean {
    return this.#usedBytes >= this.maxBytes;
  }

  reserve(bytes: number): void {
    this.#usedBytes += bytes;
  }

  /** Releases bytes, and calls each waiting callback once if there is room. */
  release(bytes: number): void {
    this.#usedBytes -= bytes;
    if (this.isFull) return;
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const call of waiting) call();
  }

  onceFree(call: () => void): void {
    this.#waiting.add(call);
  }

  cancel(call: () => void): void {
    this.#waiting.delete(call);
  }
}

export type SharedBodyOptions = Readonly<{
  memory: SharedMemory;
  /** A reader that delays others is disconnected if it reads nothing for this time. */
  stallMs: number;
}>;

/** A piece of the body, and the number of readers that have not read it. */
type Chunk = { readonly bytes: Buffer; pending: number };

/**
 * One body for several readers, each at its own pace. Pieces that slower readers have not read are buffered once, within a limit for
 * all shared bodies together: beyond it, the faster readers wait. With a single reader nothing is buffered.
 */
export class SharedBody {
  /** The number of chunks before the first of `#chunks`; all readers have read them. */
  #first = 0;
  readonly #chunks: Chunk[] = [];
  /** The number of chunks that each reader has read. */
  readonly #offsets = new Map<Readable, number>();
  /** Readers that wait for the next chunk. */
  readonly #waiting = new Set<Readable>();
  readonly #source: AsyncIterator<Buffer>;
  #isReading = false;
  #hasEnded = false;
  #stall: NodeJS.Timeout | undefined;

  constructor(
    private readonly body: Readable,
    private readonly options: SharedBodyOptions,
  ) {
    this.#source = body[Symbol.asyncIterator]();
  }

  /** One stream per reader. */
  open(count: number): readonly Readable[] {
    const readers = Array.from({ length: count }, () => this.#open());
    for (const reader of readers) this.#offsets.set(reader, 0);
    if (count === 0) this.body.destroy();
    return readers;
  }

  #open(): Readable {
    const reader: Readable = new Readable({
      read: () => this.#pass(reader),
      destroy: (error, done) => {
        this.#leave(reader);
        done(error);
      },
    });
    return reader;
  }

  #pass(reader: Readable): void {
    const offset = this.#offsets.get(reader);
    if (offset === undefined) return;
    const chunk = this.#chunks[offset - this.#first];
    if (chunk) {
      this.#offsets.set(reader, offset + 1);
      this.#restartStall();
      reader.push(chunk.bytes);
      this.#release(chunk);
    } else if (this.#hasEnded) {
      reader.push(null);
    } else {
      this.#waiting.add(reader);
      this.#read();
    }
  }

  readonly #read = (): void => {
    if (this.#isReading || this.#hasEnded || this.#waiting.size === 0) return;
    if (this.options.memory.isFull && this.#chunks.length > 0) return this.#waitForMemory();
    this.#isReading = true;
    this.#source.next().then(
      ({ done, value }) => this.#onChunk(done ? undefined : value),
      (error: unknown) => this.#onError(error instanceof Error ? error : new Error(String(error))),
    );
  };

  #onChunk(bytes: Buffer | undefined): void {
    this.#isReading = false;
    if (!bytes) this.#hasEnded = true;
    else if (this.#offsets.size > 0) {
      this.#chunks.push({ bytes, pending: this.#offsets.size });
      this.options.memory.reserve(bytes.length);
    }
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const reader of waiting) this.#pass(reader);
  }

  #onError(error: Error): void {
    this.#hasEnded = true;
    for (const reader of Array.from(this.#offsets.keys())) reader.destroy(error);
  }

  /** Readers read chunks in order, so chunks that all have read are at the front. */
  #release(chunk: Chunk): void {
    chunk.pending -= 1;
    let bytes = 0;
    while (this.#chunks[0]?.pending === 0) {
      bytes += this.#chunks.shift()?.bytes.length ?? 0;
      this.#first += 1;
    }
    if (bytes > 0) this.options.memory.release(bytes);
  }

  #leave(reader: Readable): void {
    const offset = this.#offsets.get(reader);
    if (offset === undefined) return;
    this.#offsets.delete(reader);
    this.#waiting.delete(reader);
    for (const chunk of this.#chunks.slice(offset - this.#first)) this.#release(chunk);
    if (this.#offsets.size > 0) return;
    this.#endStall();
    this.options.memory.cancel(this.#read);
    if (!this.#hasEnded) this.body.destroy();
  }

  #waitForMemory(): void {
    this.options.memory.onceFree(this.#read);
    this.#stall ??= setTimeout(() => this.#disconnectSlowest(), this.options.stallMs);
  }

  /** Progress of a reader restarts the timeout, and lets waiting readers continue. */
  #restartStall(): void {
    if (!this.#stall) return;
    this.#endStall();
    if (this.#waiting.size > 0) this.#read();
  }

  #endStall(): void {
    clearTimeout(this.#stall);
    this.#stall = undefined;
  }

  #disconnectSlowest(): void {
    this.#stall = undefined;
    const slowest = Math.min(...this.#offsets.values());
    for (const [reader, offset] of Array.from(this.#offsets))
      if (offset === slowest)
        reader.destroy(new Error('disconnected: this reader blocked the others'));
    this.#read();
  }
}
