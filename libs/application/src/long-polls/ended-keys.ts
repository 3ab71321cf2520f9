import { Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';

import { PollingWorker } from '#polling';

import { LongPolls } from './long-polls.js';

const lookMs = 500;

/** Looks for keys that another process has revoked, or that have expired, while their requests wait. */
@Injectable()
export class EndedKeys implements OnModuleInit, OnModuleDestroy {
  /** Every answer checks its key itself, so a failed look is simply repeated. */
  readonly #worker = new PollingWorker(() => this.#look(), {
    idleMs: lookMs,
    retryMs: { first: lookMs, longest: lookMs },
    allowsExit: true,
  });

  constructor(private readonly polls: LongPolls) {}

  onModuleInit(): void {
    this.#worker.start();
  }

  onModuleDestroy(): void {
    void this.#worker.stop();
  }

  async #look(): Promise<undefined> {
    await this.polls.endKeys();
  }
}
