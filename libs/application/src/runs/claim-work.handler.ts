import { setTimeout as wait } from 'node:timers/promises';

import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';

import { authorizeAgent, requireWholeSight, requireWriter } from '../access/authorize.js';
import { type Principal } from '../access/principal.js';
import { refuseReservedNames } from '../access/reserved-names.js';
import { KeyEndedError, ServerBusyError } from '../errors.js';
import { KeyStore } from '../keys/key-store.js';
import { AttemptStarter } from './attempt-starter.js';
import { ClaimWorkCommand, type ClaimedWork } from './runs.messages.js';
import { WorkArrivals } from './work-arrivals.js';
import { type WaitingAttempt, WorkQueue } from './work-queue.js';

/** Rows are looked at again so often: for attempts whose time comes later, or that another process let go. */
const pollMs = 1_000;
const mostWaiting = 2_000;

@CommandHandler(ClaimWorkCommand)
export class ClaimWorkHandler implements ICommandHandler<ClaimWorkCommand> {
  #waiting = 0;

  constructor(
    private readonly queue: WorkQueue,
    private readonly starter: AttemptStarter,
    private readonly arrivals: WorkArrivals,
    private readonly keys: KeyStore,
  ) {}

  async execute({
    principal,
    agents,
    waitSeconds,
    signal,
  }: ClaimWorkCommand): Promise<ClaimedWork | undefined> {
    requireWriter(principal);
    requireWholeSight(principal);
    for (const agent of agents) authorizeAgent(principal, agent);
    refuseReservedNames(agents.map((agentId, at) => ({ pointer: `/agents/${at}`, agentId })));
    if (waitSeconds <= 0) return this.#claim(principal, agents);
    if (this.#waiting >= mostWaiting)
      throw new ServerBusyError(
        `this server has ${mostWaiting} workers waiting, as many as it holds: repeat the request after Retry-After, or ask without wait`,
      );
    this.#waiting += 1;
    try {
      return await this.#wait(principal, agents, { waitSeconds, signal });
    } finally {
      this.#waiting -= 1;
    }
  }

  /** The attempt that has waited longest. */
  async #claim(
    principal: Principal,
    agents: readonly string[],
  ): Promise<ClaimedWork | undefined> {
    const { workspace, contexts, workflows } = principal;
    for (const waiting of await this.queue.waiting({ workspace, agents, contexts, workflows })) {
      const claimed = await this.starter.tryStart(principal, waiting);
      if (claimed) return claimed;
    }
    return undefined;
  }

  async #wait(
    principal: Principal,
    agents: readonly string[],
    { waitSeconds, signal }: Readonly<{ waitSeconds: number; signal: AbortSignal | undefined }>,
  ): Promise<ClaimedWork | undefined> {
    const end = performance.now() + waitSeconds * 1_000;
    const arrived: WaitingAttempt[] = [];
    const waker = new Waker(signal);
    const taker = (attempt: WaitingAttempt) => {
      arrived.push(attempt);
      waker.wake();
    };
    this.arrivals.onStop(waker.wake);
    await this.arrivals.listen(principal.workspace, agents, taker);
    try {
      for (;;) {
        const attempt = arrived.shift();
        const claimed = attempt
          ? await this.starter.tryStart(principal, attempt)
          : await this.#claim(principal, agents);
        const leftMs = end - performance.now();
        if (claimed || this.arrivals.stopping || signal?.aborted || leftMs <= 0) return claimed;
        if (arrived.length > 0) continue;
        await waker.pause(Math.min(leftMs, pollMs * (0.5 + Math.random())));
        await this.#requireKey(principal);
      }
    } finally {
      this.arrivals.forget(principal.workspace, agents, taker);
    }
  }

  /** A key that has ended while its request waited gets no work. */
  async #requireKey({ keyId }: Principal): Promise<void> {
    if (keyId === null) return;
    const ended = await this.keys.findEnded([keyId]);
    if (ended.length > 0) throw new KeyEndedError('the key was revoked or has expired');
  }
}

/** A pause that ends early if it is told so, also if that was before it began. */
class Waker {
  #awake = Promise.withResolvers<void>();

  constructor(signal: AbortSignal | undefined) {
    signal?.addEventListener('abort', this.wake, { once: true });
  }

  readonly wake = (): void => this.#awake.resolve();

  async pause(ms: number): Promise<void> {
    const timer = new AbortController();
    const elapsed = wait(ms, undefined, { signal: timer.signal }).catch(() => undefined);
    await Promise.race([elapsed, this.#awake.promise]);
    timer.abort();
    this.#awake = Promise.withResolvers<void>();
  }
}
