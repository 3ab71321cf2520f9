import { type PollGroup } from './poll-group.js';

/** Limits concurrent reads, so that thousands of groups leave connections and processor time to other requests. */
const maxAtOnce = 4;

/**
 * Reads for groups in the order in which they were added, a few at a time. Adding a group again before its read has begun
 * has no effect; adding it during its read causes another read.
 */
export class ReadQueue {
  readonly #waiting = new Set<PollGroup>();
  readonly #running = new Set<PollGroup>();

  /** `read` must not reject. */
  constructor(private readonly read: (group: PollGroup) => Promise<void>) {}

  add(group: PollGroup): void {
    this.#waiting.add(group);
    this.#start();
  }

  delete(group: PollGroup): void {
    this.#waiting.delete(group);
  }

  #start(): void {
    for (const group of this.#waiting) {
      if (this.#running.size >= maxAtOnce) return;
      if (!this.#running.has(group)) void this.#run(group);
    }
  }

  async #run(group: PollGroup): Promise<void> {
    this.#waiting.delete(group);
    this.#running.add(group);
    await this.read(group);
    this.#running.delete(group);
    this.#start();
  }
}
