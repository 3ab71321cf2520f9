import { type RecordedFacts } from '../context.events.js';
import { type RunFacts, activeMsAt } from './run.facts.js';

/** When an event of a run happened, and whether an import has sealed it again. */
export type RunMoment = Readonly<{ at: string }> & Pick<RecordedFacts, 'origin'>;

/**
 * The run as one more event of it finds it: the time until then counted. Clocks that go back count nothing. Events of elsewhere leave
 * the run in no epoch of this store: whatever they say, nothing comes of it until somebody resumes the run.
 */
export function withClock(run: RunFacts, { at, origin }: RunMoment): RunFacts {
  const clockAt = Date.parse(at) > Date.parse(run.clockAt) ? at : run.clockAt;
  const epoch = isImported({ origin }) ? null : run.epoch;
  return { ...run, events: run.events + 1, activeMs: activeMsAt(run, at), clockAt, epoch };
}

/** Imported events state when they happened. */
export function isImported({ origin }: Pick<RecordedFacts, 'origin'>): boolean {
  return typeof origin?.timestamp === 'string';
}
