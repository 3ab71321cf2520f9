import { type RunFacts, activeMsAt } from './run.facts.js';

/** The run as one more event of it finds it: the time until then counted. Clocks that go back count nothing. */
export function withClock(run: RunFacts, at: string): RunFacts {
  const clockAt = Date.parse(at) > Date.parse(run.clockAt) ? at : run.clockAt;
  return { ...run, events: run.events + 1, activeMs: activeMsAt(run, at), clockAt };
}
