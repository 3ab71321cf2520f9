import { setTimeout as wait } from 'node:timers/promises';

/**
 * While other processes win the race, a round is decided again until `appendTimeoutMs` has passed. Slow appends get at
 * least this many tries, within twice that time.
 */
const fewestTries = 4;
/**
 * The backoff after a lost race. Random, so that two losers rarely collide again; short, so that the loser is back
 * within the pause of the winner.
 */
const [firstBackoffMs, longestBackoffMs] = [5, 20];
/**
 * The loser of a slow append learns the result only after the winner has its answer. Without a pause, the winner would
 * already be in its next round, and the loser would lose that race as well. So after an append of at least
 * `slowAppendMs` the winner pauses for up to this share of the duration of the append.
 */
const [slowAppendMs, pauseShare, longestPauseMs] = [50, 0.2, 100];

/** Counts the races that one round has lost against other processes, and decides when to retry and when to give up. */
export class LostRaces {
  readonly #began = performance.now();
  #tries = 1;

  constructor(private readonly appendTimeoutMs: number) {}

  /** The number of tries so far. */
  get tries(): number {
    return this.#tries;
  }

  get isOver(): boolean {
    const limitMs = (this.#tries < fewestTries ? 2 : 1) * this.appendTimeoutMs;
    return performance.now() - this.#began > limitMs;
  }

  async backOff(): Promise<void> {
    const backoffMs = Math.min(firstBackoffMs * 2 ** (this.#tries - 1), longestBackoffMs);
    this.#tries += 1;
    await wait(backoffMs * Math.random());
  }
}

/** Lets the losers of a slow race catch up with the winner. */
export async function pauseAfter(appendMs: number): Promise<void> {
  if (appendMs < slowAppendMs) return;
  await wait(Math.min(appendMs * pauseShare, longestPauseMs) * Math.random());
}
