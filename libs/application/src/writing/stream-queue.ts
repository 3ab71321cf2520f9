/** What waits for its turn on one stream. */
export type Ticket<Work, Result> = Readonly<{
  work: Work;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}>;

/**
 * Settles a run of tickets that stand first on a stream and returns how many of them it took, at least one.
 * Every ticket it took has been resolved or rejected when it returns.
 */
type Settle<Work, Result> = (
  stream: string,
  tickets: readonly Ticket<Work, Result>[],
) => Promise<number>;

/** How many requests one round may settle: bounds what a lost race repeats. */
const roundSize = 128;

/**
 * Lets requests on one stream take turns and go in company: while one round is being stored, the next gathers,
 * so a hot stream costs one commit a round. Streams do not wait for each other.
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

  /** Never rejects: what goes wrong is the answer of the tickets it went wrong for. */
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
