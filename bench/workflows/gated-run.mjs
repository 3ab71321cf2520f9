/** A run of a loop that continues up to a controlled visit. */
export class GatedRun {
  /** The last visit whose function may return. */
  at = 0;
  #open = Promise.withResolvers();
  #reached = Promise.withResolvers();

  static async start(runs, definitionId, outputs) {
    const run = new GatedRun(runs, outputs);
    run.contextId = await runs.start(definitionId, ({ step }) => run.#visit(step.visit));
    return run;
  }

  constructor(runs, outputs) {
    this.runs = runs;
    this.outputs = outputs;
  }

  /** Resolves once this visit is stored, and its successor, if there is one, waits. */
  async advanceTo(visit) {
    this.at = visit;
    this.#reached = Promise.withResolvers();
    this.#open.resolve();
    await this.#reached.promise;
  }

  /** Resolves after the run has ended. */
  finish() {
    this.at = Number.POSITIVE_INFINITY;
    this.#open.resolve();
    return this.runs.ended(this.contextId);
  }

  async cancel() {
    await this.runs.cancel(this.contextId);
    this.#open.resolve();
  }

  async #visit(visit) {
    if (visit > this.at) {
      this.#open = Promise.withResolvers();
      this.#reached.resolve();
      await this.#open.promise;
    }
    return this.outputs[visit % this.outputs.length].output;
  }
}
