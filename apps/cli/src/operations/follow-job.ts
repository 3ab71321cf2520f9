import { path } from '../api-client.js';
import { Follower, pause } from '../replay/follow.js';
import { type Session } from '../session.js';
import { listenForStop } from '../stop-signal.js';
import { type Job, describeJob, isSettled, jobSchema, requireSwitched } from './job.js';
import { JobProgress } from './job-progress.js';

const pollMs = 300;
/** A running projector looks for jobs every second. */
const noProjectorMs = 10_000;

/** Shows the progress of a job until it is settled, and throws if it failed or was cancelled. Ctrl-C stops only the display. */
export async function followJob(session: Session, jobId: string): Promise<void> {
  const { terminal, json } = session;
  const stop = listenForStop();
  try {
    const job = await untilSettled(session, jobId, stop.signal);
    if (!job) return terminal.warn(detachedHint(jobId));
    terminal.write(json ? JSON.stringify(job) : describeJob(job));
    requireSwitched(job);
  } finally {
    stop.release();
  }
}

export function detachedHint(jobId: string): string {
  return [
    'the job continues in the background',
    `next: throughline job show ${jobId} --follow   watches it`,
    `      throughline projection cancel ${jobId}   ends it`,
  ].join('\n');
}

/** Returns undefined if the signal aborts first. */
async function untilSettled(
  { api, terminal }: Session,
  jobId: string,
  signal: AbortSignal,
): Promise<Job | undefined> {
  const follower = new Follower({ api, signal, notice: terminal.warn });
  const now = () => performance.now();
  const progress = new JobProgress(terminal, now);
  let warnAt = now() + noProjectorMs;
  for (;;) {
    const job = await follower.ask(jobSchema, { path: path`jobs/${jobId}` });
    if (!job || isSettled(job)) {
      progress.end();
      return job;
    }
    progress.show(job);
    if (job.state === 'waiting' && now() > warnAt) {
      terminal.warn(
        'no projector has claimed the job yet: "throughline projection list" shows the running projectors',
      );
      warnAt = Number.POSITIVE_INFINITY;
    }
    await pause(pollMs, signal);
  }
}
