/** A request that waits for its turn on a stream. */
export type Ticket<Work, Result> = Readonly<{
  work: Work;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}>;

/**
 * Settles the first tickets of a stream and returns how many it took, at least one. All of these are resolved or
 * rejected when it returns.
 */
type Settle<Work, Result> = (
  stream: string,
  tickets: readonly Ticket<Work, Result>[],
) => Promise<number>;

/** The maximum number of requests in a round; limits the work that a lost race repeats. */
const roundSize = 128;

/**
 * Batches the requests of each stream: while one round is stored, the next one collects requests, so a busy stream
 * needs one commit per round. Streams do not wait for each other.
 */
export class StreamQueue<Work, Result> {
  readonly #waiting = new Map<string, Ticket<Work, Result>[]>();

  constructor(private readonly settle: Settle<Work, Result>) {}

  submit(stream: string, work: Work): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      const waiting = this.#waiting.get(stream);
      if (waiting) waiting.push({ work, resolve, reject });
      else {
        const queue = [{ work, resolve, reject }];
        this.#waiting.set(stream, queue);
        void this.#drain(stream, queue);
      }
    });
  }

  /** Never rejects: a failure rejects the tickets of its round. */
  async #drain(stream: string, queue: Ticket<Work, Result>[]): Promise<void> {
    while (queue.length > 0) {
      const round = queue.slice(0, roundSize);
      try {
        queue.splice(0, await this.settle(stream, round));
      } catch (error) {
        for (const { reject } of queue.splice(0, round.length)) reject(error);
      }
    }
    this.#waiting.delete(stream);
  }
}
