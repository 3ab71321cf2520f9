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

/** Steps a second while all runs were under way: from the first step of the last run to the last step of the first. */
export function steadySpeed(runs) {
  const start = Math.max(...runs.map(([first]) => first));
  const end = Math.min(...runs.map((times) => times.at(-1)));
  if (start >= end) throw new Error('the runs were never under way at the same time');
  const steps = runs.flat().filter((time) => time > start && time <= end).length;
  return (steps / (end - start)) * 1000;
}
