import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';

import { type StoredEvent } from '#event-sourcing';
import { type ContextId, type DecodedEvent, contextOfStream, decodeEvent } from '#shared-context';

import { ContextChanges } from '../long-polls/context-changes.js';
import { FAILURE_LOG, type FailureLog } from '../tokens.js';
import { OwnWrites } from '../writing/own-writes.js';
import { QueuePoll } from './queue-poll.js';
import { attemptKey } from './capacity-checks.js';
import { type UnclaimedAttempt, UnclaimedAttempts, unclaimed } from './unclaimed-attempts.js';
import { type WaitingAttempt } from './waiting-attempt.js';
import { type AttemptTaker, type WaitingFilter, WaitingWorkers } from './waiting-workers.js';
import { WorkQueue } from './work-queue.js';

/** How many offered attempts are cached, so that an attempt is not offered again when the log delivers its event. */
const maxOffered = 10_000;

/**
 * Passes attempts to the waiting workers of this process: as soon as any process schedules them, before rows contain them,
 * and by polling the rows about once a second for all workers together.
 */
@Injectable()
export class WorkArrivals {
  readonly #workers: WaitingWorkers;
  readonly #unclaimed = new UnclaimedAttempts();
  readonly #offered = new LRUCache<string, true>({ max: maxOffered });
  readonly #poll: QueuePoll;

  constructor(
    private readonly changes: ContextChanges,
    queue: WorkQueue,
    writes: OwnWrites,
    @Inject(FAILURE_LOG) failed: FailureLog,
  ) {
    this.#workers = new WaitingWorkers(queue.denied);
    this.#poll = new QueuePoll(queue, this.#workers, { isStopping: () => this.stopping, failed });
    writes.listen(({ workspace, contextId }, events) => {
      for (const event of events) this.#note({ workspace, contextId }, event);
    });
    queue.limits.onRoom((workspace, held) => {
      if (held) this.putBack(workspace, held);
      this.#poll.noteRoom(workspace);
    });
    changes.onStop(() => this.#workers.stop());
  }

  /** True once the server drains. */
  get stopping(): boolean {
    return this.changes.stopping;
  }

  /** Resolves once attempts that are scheduled from now on will be passed to the taker. */
  async listen(filter: WaitingFilter, taker: AttemptTaker): Promise<void> {
    this.#workers.add(filter, taker);
    await this.changes.listen(this.#arrived);
    this.#poll.start();
    for (const attempt of this.#unclaimed.takeAll()) this.#offer(attempt);
  }

  /** Returns an attempt that its taker has not started, so that another worker may start it. */
  putBack(workspace: string, attempt: WaitingAttempt): void {
    this.#offer(unclaimed(workspace, attempt));
  }

  forget(filter: WaitingFilter, taker: AttemptTaker): void {
    this.#workers.delete(filter, taker);
  }

  readonly #arrived = (stored: StoredEvent): void => {
    const id = stored.type === 'StepScheduled' ? contextOfStream(stored.stream) : undefined;
    const event = id && decodeEvent(stored);
    if (event) this.#note(id, event);
  };

  #note({ workspace, contextId }: ContextId, event: DecodedEvent): void {
    const attempt = scheduledAttempt(contextId, event);
    if (!attempt) return;
    const name = JSON.stringify([workspace, attemptKey(attempt)]);
    if (this.#offered.has(name)) return;
    this.#offered.set(name, true);
    this.#offer(unclaimed(workspace, attempt));
  }

  #offer(offered: UnclaimedAttempt): void {
    const { workspace, attempt } = offered;
    const taker = this.#workers.remove(workspace, attempt);
    if (taker) taker.take(attempt);
    else this.#unclaimed.add(offered);
  }
}

/** The attempt that an event schedules for an immediate start; undefined if it is due later or for the interpreter. */
function scheduledAttempt(contextId: string, event: DecodedEvent): WaitingAttempt | undefined {
  if (event.type !== 'StepScheduled') return undefined;
  const { runId, stepId, visit, attempt, agent, dueAt, at } = event.data;
  if (agent === undefined || dueAt > at) return undefined;
  return { contextId, runId, stepId, visit, attempt, agent, version: event.version };
}
