import { type RecordedFacts } from '../context.events.js';
import { type RunFacts, activeMsAt } from './run.facts.js';

/** The time of an event of a run, and its origin, which marks imported events. */
export type RunMoment = Readonly<{ at: string }> & Pick<RecordedFacts, 'origin'>;

/**
 * The run with its clock advanced to the time of the next event. A clock that goes back adds no time. An imported event
 * removes the run from its epoch, so that it does not continue until a person resumes it.
 */
export function withClock(run: RunFacts, { at, origin }: RunMoment): RunFacts {
  const clockAt = Date.parse(at) > Date.parse(run.clockAt) ? at : run.clockAt;
  const epoch = isImported({ origin }) ? null : run.epoch;
  return { ...run, events: run.events + 1, activeMs: activeMsAt(run, at), clockAt, epoch };
}

/** Whether an event was imported: only imported events have an origin with a time. */
export function isImported({ origin }: Pick<RecordedFacts, 'origin'>): boolean {
  return typeof origin?.timestamp === 'string';
}
