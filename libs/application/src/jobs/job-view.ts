import { type JobProgress } from '#read-models';

import { type JobView } from './jobs.messages.js';

/** The view of a job at `now` (milliseconds since the epoch). */
export function toJobView(job: JobProgress, now: number): JobView {
  const eventsPerSecond = rateOf(job, now);
  return { ...job, eventsPerSecond, secondsLeft: secondsLeft(job, eventsPerSecond) };
}

function rateOf({ startedAt, switchedAt, endedAt, applied }: JobProgress, now: number) {
  if (startedAt === null || applied === 0) return null;
  const until = switchedAt ?? endedAt;
  const seconds = ((until === null ? now : Date.parse(until)) - Date.parse(startedAt)) / 1000;
  return seconds > 0 ? Math.round(applied / seconds) : null;
}

function secondsLeft({ state, total, applied }: JobProgress, rate: number | null): number | null {
  if (state !== 'running' || total === null || !rate) return null;
  return Math.ceil(Math.max(0, total - applied) / rate);
}
