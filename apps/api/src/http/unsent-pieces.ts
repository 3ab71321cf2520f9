import { Readable } from 'node:stream';

/**
 * Long texts that are being sent, in pieces that are released as their clients read them. The total size of unsent pieces is
 * limited: beyond the limit, the oldest response is aborted.
 */
export class UnsentPieces {
  /** The number of unsent bytes of each text, oldest first. */
  readonly #remaining = new Map<Readable, number>();
  #bytes = 0;

  constructor(private readonly maxBytes: number) {}

  get bytes(): number {
    return this.#bytes;
  }

  open(pieces: readonly Buffer[]): Readable {
    const remaining = pieces.toReversed();
    const stream: Readable = new Readable({
      read: () => {
        const piece = remaining.pop();
        if (piece) this.#count(stream, -piece.length);
        stream.push(piece ?? null);
      },
      destroy: (error, done) => {
        remaining.length = 0;
        this.#bytes -= this.#remaining.get(stream) ?? 0;
        this.#remaining.delete(stream);
        done(error);
      },
    });
    this.#remaining.set(stream, 0);
    this.#count(
      stream,
      pieces.reduce((sum, { length }) => sum + length, 0),
    );
    this.#abortOldest();
    return stream;
  }

  #count(stream: Readable, bytes: number): void {
    const remaining = this.#remaining.get(stream);
    if (remaining === undefined) return;
    this.#remaining.set(stream, remaining + bytes);
    this.#bytes += bytes;
  }

  /** Aborts the oldest texts until the limit is met, but never the newest, which may exceed the limit by itself. */
  #abortOldest(): void {
    for (const stream of [...this.#remaining.keys()].slice(0, -1)) {
      if (this.#bytes <= this.maxBytes) return;
      stream.destroy(new Error('aborted: newer responses need the memory of this one'));
    }
  }
}
