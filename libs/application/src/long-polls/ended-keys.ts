import { Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';

import { LongPolls } from './long-polls.js';

const lookMs = 500;

/** Looks for keys that another process has revoked, or that have expired, while their requests wait. */
@Injectable()
export class EndedKeys implements OnModuleInit, OnModuleDestroy {
  #timer: NodeJS.Timeout | undefined;
  #isLooking = false;

  constructor(private readonly polls: LongPolls) {}

  onModuleInit(): void {
    this.#timer = setInterval(() => void this.#look(), lookMs).unref();
  }

  onModuleDestroy(): void {
    clearInterval(this.#timer);
  }

  async #look(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    try {
      await this.polls.endKeys();
    } catch {
      // No answer is given without a look of its own; the next one comes soon.
    } finally {
      this.#isLooking = false;
    }
  }
}
