import { Readable } from 'node:stream';

/**
 * Long texts that are being sent, in pieces which are let go as their readers take them. Together they hold a limited
 * number of bytes: beyond it, the text that has been on its way for longest is broken off.
 */
export class UnsentPieces {
  /** How many bytes of each are left, the oldest first. */
  readonly #left = new Map<Readable, number>();
  #bytes = 0;

  constructor(private readonly most: number) {}

  get bytes(): number {
    return this.#bytes;
  }

  open(pieces: readonly Buffer[]): Readable {
    const left = pieces.toReversed();
    const stream: Readable = new Readable({
      read: () => {
        const piece = left.pop();
        if (piece) this.#count(stream, -piece.length);
        stream.push(piece ?? null);
      },
      destroy: (error, done) => {
        left.length = 0;
        this.#bytes -= this.#left.get(stream) ?? 0;
        this.#left.delete(stream);
        done(error);
      },
    });
    this.#left.set(stream, 0);
    this.#count(
      stream,
      pieces.reduce((sum, { length }) => sum + length, 0),
    );
    this.#breakOff();
    return stream;
  }

  #count(stream: Readable, bytes: number): void {
    const left = this.#left.get(stream);
    if (left === undefined) return;
    this.#left.set(stream, left + bytes);
    this.#bytes += bytes;
  }

  /** Never the newest: it may be larger than all that is allowed. */
  #breakOff(): void {
    for (const stream of [...this.#left.keys()].slice(0, -1)) {
      if (this.#bytes <= this.most) return;
      stream.destroy(new Error('others need the memory that this answer takes'));
    }
  }
}
