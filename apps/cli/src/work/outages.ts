/** Logs when the server stops answering, and when it answers again. A server that has never answered is an error. */
export class Outages {
  #hasAnswered = false;
  #isOut = false;

  constructor(private readonly log: (line: string) => void) {}

  /** Throws the error if there has been no answer. */
  begin(error: unknown): void {
    if (!this.#hasAnswered) throw error;
    if (!this.#isOut) this.log('the server does not answer; retrying until it does');
    this.#isOut = true;
  }

  /** Call it with the status of each response; 429 and 5xx do not count as an answer. */
  answered(status: number): void {
    if (status >= 500 || status === 429) return;
    if (this.#isOut) this.log('the server answers again');
    this.#hasAnswered = true;
    this.#isOut = false;
  }
}
