import { Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';

import { PollingWorker } from '#polling';

import { LongPolls } from './long-polls.js';

const checkMs = 500;

/** Checks whether keys of waiting requests were revoked by another process or have expired. */
@Injectable()
export class EndedKeys implements OnModuleInit, OnModuleDestroy {
  /** Every answer checks its key too, so a failed check is simply repeated. */
  readonly #worker = new PollingWorker(() => this.#check(), {
    idleMs: checkMs,
    retryMs: { first: checkMs, longest: checkMs },
    allowsExit: true,
  });

  constructor(private readonly polls: LongPolls) {}

  onModuleInit(): void {
    this.#worker.start();
  }

  onModuleDestroy(): void {
    void this.#worker.stop();
  }

  async #check(): Promise<undefined> {
    await this.polls.endKeys();
  }
}
