/** Records the start of each step of a run, and returns a separate output for each. */
export class StepClock {
  times = [];
  #outputs;

  constructor(outputs) {
    this.#outputs = outputs;
  }

  /** The function of a step: it does nothing, and returns 2 KB. */
  visit = () => {
    this.times.push(performance.now());
    return this.#outputs[this.times.length % this.#outputs.length].output;
  };

  /** Milliseconds from the start of each step to that of its successor, in which its result was stored. */
  get latencies() {
    return this.times.slice(1).map((time, n) => time - this.times[n]);
  }
}

/** Steps per second of concurrent runs: from the first step of all to the last one. */
export function speedOf(runs) {
  const times = runs.flat();
  const seconds = (Math.max(...times) - Math.min(...times)) / 1000;
  return (times.length - 1) / seconds;
}
