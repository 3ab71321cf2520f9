import { progressBar } from '../progress-bar.js';
import { type Terminal } from '../terminal.js';
import { type Job, amountOf, count, duration } from './job.js';

/** Events per progress line if the total is unknown. */
const eventsPerLine = 100_000;
/** The rate covers the last seconds only: the average of a job that was paused is misleading. */
const windowMs = 5_000;

type Sample = Readonly<{ at: number; applied: number }>;

/** Reports the progress of a job: a bar on a terminal, otherwise a line per phase and per tenth of the total. */
export class JobProgress {
  #samples: readonly Sample[] = [];
  #lastReport = '';

  constructor(
    private readonly terminal: Terminal,
    /** A monotonic clock in milliseconds. */
    private readonly now: () => number,
  ) {}

  show(job: Job): void {
    const at = this.now();
    const recent = this.#samples.filter((sample) => at - sample.at <= windowMs);
    this.#samples = [...recent, { at, applied: job.applied }];
    const { progress } = this.terminal;
    if (progress) progress.show(`${barOf(job)}${this.#lineOf(job)}`);
    else this.#report(job);
  }

  end(): void {
    this.terminal.progress?.clear();
  }

  #report(job: Job): void {
    const step = job.total === null ? job.applied / eventsPerLine : shareOf(job) * 10;
    const report = `${job.phase} ${Math.floor(step)}`;
    if (report !== this.#lastReport) this.terminal.warn(this.#lineOf(job));
    this.#lastReport = report;
  }

  #lineOf(job: Job): string {
    const { phase, compared } = job;
    if (phase === 'waiting') return 'waiting for a projector';
    if (phase === 'comparing') return `comparing, ${count(compared)} contexts`;
    if (phase !== 'copying') return phase;
    const [first] = this.#samples;
    const seconds = first ? (this.now() - first.at) / 1000 : 0;
    const rate = first && seconds > 0 ? (job.applied - first.applied) / seconds : 0;
    return `copying, ${amountOf(job)} events${paceOf(job, Math.round(rate))}`;
  }
}

function paceOf({ total, applied }: Job, rate: number): string {
  if (rate <= 0) return '';
  const left = total === null ? '' : `, ${duration(Math.ceil((total - applied) / rate))} left`;
  return `, ${count(rate)}/s${left}`;
}

/** Empty if the total is unknown. */
function barOf(job: Job): string {
  return job.total === null ? '' : progressBar(shareOf(job));
}

function shareOf({ total, applied }: Job): number {
  if (total === null || total === 0) return 0;
  return Math.min(applied / total, 1);
}
