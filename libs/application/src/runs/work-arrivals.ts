import { setTimeout as wait } from 'node:timers/promises';

import { Inject, Injectable } from '@nestjs/common';

import { type StoredEvent } from '#event-sourcing';
import { contextOfStream, decodeEvent } from '#read-models';

import { ContextChanges } from '../long-polls/context-changes.js';
import { FAILURE_LOG, type FailureLog } from '../tokens.js';
import { type QueueFilter, type WaitingAttempt, WorkQueue } from './work-queue.js';

/** Who waits for attempts: each is passed to one of those who wait for its agent. */
export type AttemptTaker = Readonly<{
  take: (attempt: WaitingAttempt) => void;
  /** The server drains, so that nothing more is started. */
  stop: () => void;
}>;

/** Those who wait for attempts that keys with the same limits reach, the one that has waited longest first. */
type WaitingGroup = Readonly<{
  filter: QueueFilter;
  takers: Map<AttemptTaker, ReadonlySet<string>>;
}>;

/** Rows are looked at about so often: for attempts whose time comes later, or that another process let go. */
const pollMs = 1_000;
/** So many attempts are looked for at a time. */
const mostAtOnce = 500;

/**
 * Attempts for workers that wait in this process: as they are scheduled, in whichever process, before any row is there, and by looking
 * at the rows once a second for all of them together.
 */
@Injectable()
export class WorkArrivals {
  readonly #groups = new Map<string, WaitingGroup>();
  #polling: Promise<void> | undefined;

  constructor(
    private readonly changes: ContextChanges,
    private readonly queue: WorkQueue,
    @Inject(FAILURE_LOG) private readonly failed: FailureLog,
  ) {
    changes.onStop(() => {
      for (const { takers } of this.#groups.values())
        for (const taker of takers.keys()) taker.stop();
    });
  }

  /** True once the server drains. */
  get stopping(): boolean {
    return this.changes.stopping;
  }

  /** Resolves once attempts that are scheduled from now on will be passed to the taker. */
  async listen(filter: QueueFilter, taker: AttemptTaker): Promise<void> {
    const name = nameOf(filter);
    const group = this.#groups.get(name) ?? { filter, takers: new Map() };
    group.takers.set(taker, new Set(filter.agents));
    this.#groups.set(name, group);
    await this.changes.listen(this.#arrived);
    this.#polling ??= this.#poll();
  }

  forget(filter: QueueFilter, taker: AttemptTaker): void {
    const name = nameOf(filter);
    const group = this.#groups.get(name);
    group?.takers.delete(taker);
    if (group?.takers.size === 0) this.#groups.delete(name);
  }

  /** Which contexts keys with limits reach, only rows say. */
  readonly #arrived = (stored: StoredEvent): void => {
    if (stored.type !== 'StepScheduled' || this.#groups.size === 0) return;
    const arrived = attemptIn(stored);
    if (!arrived) return;
    const { workspace, attempt } = arrived;
    const group = this.#groups.get(nameOf({ workspace, contexts: null, workflows: null }));
    for (const [taker, agents] of group?.takers ?? [])
      if (agents.has(attempt.agent)) {
        taker.take(attempt);
        return;
      }
  };

  /** As long as anybody waits. */
  async #poll(): Promise<void> {
    while (this.#groups.size > 0 && !this.stopping) {
      await wait(pollMs * (0.5 + Math.random()), undefined, { ref: false });
      for (const group of this.#groups.values())
        await this.#look(group).catch((error: unknown) =>
          this.failed(error, 'could not look for work that waits'),
        );
    }
    this.#polling = undefined;
  }

  async #look({ filter, takers }: WaitingGroup): Promise<void> {
    const agents = [...new Set([...takers.values()].flatMap((each) => [...each]))];
    const limit = Math.min(mostAtOnce, takers.size);
    const waiting = await this.queue.waiting({ ...filter, agents }, limit);
    const given = new Set<AttemptTaker>();
    for (const attempt of waiting)
      for (const [taker, own] of takers) {
        if (given.has(taker) || !own.has(attempt.agent)) continue;
        given.add(taker);
        taker.take(attempt);
        break;
      }
  }
}

/** The attempt that an event schedules for at once; undefined if it is for later, or for the interpreter. */
function attemptIn(
  stored: StoredEvent,
): Readonly<{ workspace: string; attempt: WaitingAttempt }> | undefined {
  const id = contextOfStream(stored.stream);
  const event = id && decodeEvent(stored);
  if (!id || event?.type !== 'StepScheduled') return undefined;
  const { runId, stepId, visit, attempt, agent, dueAt, at } = event.data;
  if (agent === undefined || dueAt > at) return undefined;
  const { workspace, contextId } = id;
  const { version } = stored;
  return { workspace, attempt: { contextId, runId, stepId, visit, attempt, agent, version } };
}

function nameOf({ workspace, contexts, workflows }: Omit<QueueFilter, 'agents'>): string {
  return JSON.stringify([workspace, contexts, workflows]);
}
