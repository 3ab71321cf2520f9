import { path } from '../api-client.js';
import { Follower, pause } from '../replay/follow.js';
import { type Session } from '../session.js';
import { listenForStop } from '../stop-signal.js';
import { type Job, describeJob, isSettled, jobSchema, requireSwitched } from './job.js';
import { JobProgress } from './job-progress.js';

const pollMs = 300;
/** A running projector looks for jobs every second. */
const impatientMs = 10_000;

/** Shows how a job gets on until it is settled, and ends as it ended. Ctrl-C leaves it to itself. */
export async function followJob(session: Session, jobId: string): Promise<void> {
  const { terminal, json } = session;
  const stop = listenForStop();
  try {
    const job = await untilSettled(session, jobId, stop.signal);
    if (!job) return terminal.warn(left(jobId));
    terminal.write(json ? JSON.stringify(job) : describeJob(job));
    requireSwitched(job);
  } finally {
    stop.release();
  }
}

export function left(jobId: string): string {
  return [
    'the job goes on by itself',
    `next: throughline job show ${jobId} --follow   watches it`,
    `      throughline projection cancel ${jobId}   ends it`,
  ].join('\n');
}

/** Undefined if the signal came first. */
async function untilSettled(
  { api, terminal }: Session,
  jobId: string,
  signal: AbortSignal,
): Promise<Job | undefined> {
  const follower = new Follower({ api, signal, notice: terminal.warn });
  const now = () => performance.now();
  const progress = new JobProgress(terminal, now);
  let impatient = now() + impatientMs;
  for (;;) {
    const job = await follower.ask(jobSchema, { path: path`jobs/${jobId}` });
    if (!job || isSettled(job)) {
      progress.end();
      return job;
    }
    progress.show(job);
    if (job.state === 'waiting' && now() > impatient) {
      terminal.warn(
        'no projector has taken it up yet: "throughline projection list" shows who runs',
      );
      impatient = Number.POSITIVE_INFINITY;
    }
    await pause(pollMs, signal);
  }
}
