import { type ClaimedWork } from './api.js';

/**
 * Computes the remaining time until times of the server, regardless of the clock of this machine: the claim states the duration
 * of the attempt.
 */
export class AttemptClock {
  readonly #startedAt: number;
  readonly #startedAtServer: number;

  /** Create it as soon as the claim is answered. */
  constructor(
    private readonly attempt: Pick<ClaimedWork, 'deadline' | 'timeoutMs'>,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.#startedAt = now();
    this.#startedAtServer = Date.parse(attempt.deadline) - attempt.timeoutMs;
  }

  /** Milliseconds until the deadline of the report. */
  left(): number {
    return this.leftUntil(this.attempt.deadline);
  }

  leftUntil(time: string): number {
    return Date.parse(time) - this.#startedAtServer - (this.now() - this.#startedAt);
  }
}
