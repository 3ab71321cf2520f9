import { Readable } from 'node:stream';

/** Bytes that wait for the slower readers of shared answers, in one process. */
export class SharedMemory {
  #held = 0;
  readonly #waiting = new Set<() => void>();

  constructor(private readonly most: number) {}

  get held(): number {
    return this.#held;
  }

  get isFull(): boolean {
    return this.#held >= this.most;
  }

  take(bytes: number): void {
    this.#held += bytes;
  }

  /** Calls those who wait for room, each once. */
  give(bytes: number): void {
    this.#held -= bytes;
    if (this.isFull) return;
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const call of waiting) call();
  }

  whenThereIsRoom(call: () => void): void {
    this.#waiting.add(call);
  }

  forget(call: () => void): void {
    this.#waiting.delete(call);
  }
}

export type SharedBodyOptions = Readonly<{
  memory: SharedMemory;
  /** A reader that keeps others waiting is cut off if it takes nothing for so long. */
  stallMs: number;
}>;

/** A piece of the body, and how many readers have still to take it. */
type Chunk = { readonly bytes: Buffer; left: number };

/**
 * One body for several readers, each at its own pace. What the slower ones have still to take is held once for all of them,
 * within the memory that all shared bodies have together: beyond it, the faster ones wait. A single reader holds nothing.
 */
export class SharedBody {
  /** At the beginning of `#chunks`, the number of chunks that all have taken. */
  #first = 0;
  readonly #chunks: Chunk[] = [];
  /** How many chunks each has taken. */
  readonly #places = new Map<Readable, number>();
  /** Those that want what is not there yet. */
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

  /** One stream for each of so many readers. */
  open(count: number): readonly Readable[] {
    const readers = Array.from({ length: count }, () => this.#open());
    for (const reader of readers) this.#places.set(reader, 0);
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
    const place = this.#places.get(reader);
    if (place === undefined) return;
    const chunk = this.#chunks[place - this.#first];
    if (chunk) {
      this.#places.set(reader, place + 1);
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
    if (this.options.memory.isFull && this.#chunks.length > 0) return this.#waitForRoom();
    this.#isReading = true;
    this.#source.next().then(
      ({ done, value }) => this.#arrived(done ? undefined : value),
      (error: unknown) => this.#failed(error instanceof Error ? error : new Error(String(error))),
    );
  };

  #arrived(bytes: Buffer | undefined): void {
    this.#isReading = false;
    if (!bytes) this.#hasEnded = true;
    else if (this.#places.size > 0) {
      this.#chunks.push({ bytes, left: this.#places.size });
      this.options.memory.take(bytes.length);
    }
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const reader of waiting) this.#pass(reader);
  }

  #failed(error: Error): void {
    this.#hasEnded = true;
    for (const reader of Array.from(this.#places.keys())) reader.destroy(error);
  }

  /** Chunks are taken in their order, so those that all have taken are the first. */
  #release(chunk: Chunk): void {
    chunk.left -= 1;
    let bytes = 0;
    while (this.#chunks[0]?.left === 0) {
      bytes += this.#chunks.shift()?.bytes.length ?? 0;
      this.#first += 1;
    }
    if (bytes > 0) this.options.memory.give(bytes);
  }

  #leave(reader: Readable): void {
    const place = this.#places.get(reader);
    if (place === undefined) return;
    this.#places.delete(reader);
    this.#waiting.delete(reader);
    for (const chunk of this.#chunks.slice(place - this.#first)) this.#release(chunk);
    if (this.#places.size > 0) return;
    this.#endStall();
    this.options.memory.forget(this.#read);
    if (!this.#hasEnded) this.body.destroy();
  }

  #waitForRoom(): void {
    this.options.memory.whenThereIsRoom(this.#read);
    this.#stall ??= setTimeout(() => this.#cutSlowest(), this.options.stallMs);
  }

  /** Somebody has taken something: those who wait get on. */
  #restartStall(): void {
    if (!this.#stall) return;
    this.#endStall();
    if (this.#waiting.size > 0) this.#read();
  }

  #endStall(): void {
    clearTimeout(this.#stall);
    this.#stall = undefined;
  }

  #cutSlowest(): void {
    this.#stall = undefined;
    const slowest = Math.min(...this.#places.values());
    for (const [reader, place] of Array.from(this.#places))
      if (place === slowest) reader.destroy(new Error('this reader kept the others waiting'));
    this.#read();
  }
}
