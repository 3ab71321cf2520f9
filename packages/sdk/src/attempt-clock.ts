import { type ClaimedWork } from './api.js';

/**
 * How much time is left until times of the server, whatever the clock of this machine says: the claim states how long the attempt
 * has from then on.
 */
export class AttemptClock {
  readonly #startedAt: number;
  readonly #startedAtServer: number;

  /** To be made as soon as the answer is there. */
  constructor(
    private readonly attempt: Pick<ClaimedWork, 'deadline' | 'timeoutMs'>,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.#startedAt = now();
    this.#startedAtServer = Date.parse(attempt.deadline) - attempt.timeoutMs;
  }

  /** Milliseconds until the attempt can be reported no more. */
  left(): number {
    return this.leftUntil(this.attempt.deadline);
  }

  leftUntil(time: string): number {
    return Date.parse(time) - this.#startedAtServer - (this.now() - this.#startedAt);
  }
}
