/** Says when the server does not answer any more, and when it does again. A server that has not answered yet is not waited for. */
export class Outages {
  #hasAnswered = false;
  #isOut = false;

  constructor(private readonly log: (line: string) => void) {}

  /** Throws the error if there has been no answer. */
  begin(error: unknown): void {
    if (!this.#hasAnswered) throw error;
    if (!this.#isOut) this.log('the server does not answer; trying until it does');
    this.#isOut = true;
  }

  /** Of requests that are not tried again. */
  answered(status: number): void {
    if (status >= 500 || status === 429) return;
    if (this.#isOut) this.log('the server is back');
    this.#hasAnswered = true;
    this.#isOut = false;
  }
}
