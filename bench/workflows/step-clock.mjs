/** Notes when each step of a run begins, and gives each an output of its own. */
export class StepClock {
  times = [];
  #outputs;

  constructor(outputs) {
    this.#outputs = outputs;
  }

  /** What the function of a step does: nothing, and returns 2 KB. */
  visit = () => {
    this.times.push(performance.now());
    return this.#outputs[this.times.length % this.#outputs.length].output;
  };

  /** Milliseconds from each step's begin to that of its successor: within them, its result was stored. */
  get latencies() {
    return this.times.slice(1).map((time, n) => time - this.times[n]);
  }
}

/** Steps a second of runs that go on at once: from the first step of all to the last one. */
export function speedOf(runs) {
  const times = runs.flat();
  const seconds = (Math.max(...times) - Math.min(...times)) / 1000;
  return (times.length - 1) / seconds;
}
