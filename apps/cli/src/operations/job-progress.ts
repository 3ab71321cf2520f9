import { progressBar } from '../progress-bar.js';
import { type Terminal } from '../terminal.js';
import { type Job, amountOf, count, duration } from './job.js';

/** Without a total there are no tenths: a line for every so many events. */
const eventsPerLine = 100_000;
/** The rate is that of the last seconds: a job that goes on after a pause has an average that says little. */
const windowMs = 5_000;

type Sample = Readonly<{ at: number; applied: number }>;

/** Says how far a job is: a bar where somebody watches, otherwise a line per phase and per tenth. Without a total it says how much is done. */
export class JobProgress {
  #samples: readonly Sample[] = [];
  #said = '';

  constructor(
    private readonly terminal: Terminal,
    /** Milliseconds of any clock that only goes forward. */
    private readonly now: () => number,
  ) {}

  show(job: Job): void {
    const at = this.now();
    const recent = this.#samples.filter((sample) => at - sample.at <= windowMs);
    this.#samples = [...recent, { at, applied: job.applied }];
    const { progress } = this.terminal;
    if (progress) progress.show(`${barOf(job)}${this.#lineOf(job)}`);
    else this.#tell(job);
  }

  end(): void {
    this.terminal.progress?.clear();
  }

  #tell(job: Job): void {
    const step = job.total === null ? job.applied / eventsPerLine : shareOf(job) * 10;
    const said = `${job.phase} ${Math.floor(step)}`;
    if (said !== this.#said) this.terminal.warn(this.#lineOf(job));
    this.#said = said;
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

/** Nothing where the end is not known. */
function barOf(job: Job): string {
  return job.total === null ? '' : progressBar(shareOf(job));
}

function shareOf({ total, applied }: Job): number {
  if (total === null || total === 0) return 0;
  return Math.min(applied / total, 1);
}
