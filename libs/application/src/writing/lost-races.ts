import { setTimeout as wait } from 'node:timers/promises';

/**
 * While other processes keep winning the race, a round is decided anew until `appendTimeoutMs` has passed. Appends that are
 * slow by themselves get this many tries, within twice that time.
 */
const fewestTries = 4;
/** How long a loser waits. Random, so that two losers rarely collide again; short, to be back within the winner's pause. */
const [firstBackoffMs, longestBackoffMs] = [5, 20];
/**
 * The loser of a slow append learns that it has lost only after the winner has its answer. By then the winner would have
 * begun its next round, and the loser would lose that race, too. So the winner of an append of at least `slowAppendMs`
 * pauses for up to this share of the append's time.
 */
const [slowAppendMs, pauseShare, longestPauseMs] = [50, 0.2, 100];

/** The races that one round has lost against other processes: when it may try again, and when it gives up. */
export class LostRaces {
  readonly #began = performance.now();
  #tries = 1;

  constructor(private readonly appendTimeoutMs: number) {}

  /** How often the round was tried so far. */
  get tries(): number {
    return this.#tries;
  }

  get isOver(): boolean {
    const limitMs = (this.#tries < fewestTries ? 2 : 1) * this.appendTimeoutMs;
    return performance.now() - this.#began > limitMs;
  }

  /** Waits for the next try. */
  async backOff(): Promise<void> {
    const backoffMs = Math.min(firstBackoffMs * 2 ** (this.#tries - 1), longestBackoffMs);
    this.#tries += 1;
    await wait(backoffMs * Math.random());
  }
}

/** Lets the losers catch up with the winner of a race that took so long. */
export async function pauseAfter(appendMs: number): Promise<void> {
  if (appendMs < slowAppendMs) return;
  await wait(Math.min(appendMs * pauseShare, longestPauseMs) * Math.random());
}
