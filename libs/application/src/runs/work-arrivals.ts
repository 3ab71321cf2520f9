import { Injectable } from '@nestjs/common';

import { type StoredEvent } from '#event-sourcing';
import { contextOfStream, decodeEvent } from '#read-models';

import { ContextChanges } from '../long-polls/context-changes.js';
import { type WaitingAttempt } from './work-queue.js';

/** Who waits for attempts: each is passed to one of those who wait for its agent. */
export type AttemptTaker = Readonly<{
  take: (attempt: WaitingAttempt) => void;
  /** The server drains, so that nothing more is started. */
  stop: () => void;
}>;

/**
 * Attempts as they are scheduled, in whichever process, before any row is there. One listener for all workers that wait
 * in this process.
 */
@Injectable()
export class WorkArrivals {
  /** By workspace and agent, the one that has waited longest first. */
  readonly #waiting = new Map<string, Set<AttemptTaker>>();

  constructor(private readonly changes: ContextChanges) {
    changes.onStop(() => {
      for (const taker of [...this.#waiting.values()].flatMap((takers) => [...takers]))
        taker.stop();
    });
  }

  /** True once the server drains. */
  get stopping(): boolean {
    return this.changes.stopping;
  }

  /** Resolves once attempts that are scheduled from now on will be passed to the taker. */
  async listen(workspace: string, agents: readonly string[], taker: AttemptTaker): Promise<void> {
    for (const agent of agents) {
      const name = nameOf(workspace, agent);
      this.#waiting.set(name, (this.#waiting.get(name) ?? new Set()).add(taker));
    }
    await this.changes.listen(this.#arrived);
  }

  forget(workspace: string, agents: readonly string[], taker: AttemptTaker): void {
    for (const agent of agents) {
      const name = nameOf(workspace, agent);
      const takers = this.#waiting.get(name);
      takers?.delete(taker);
      if (takers?.size === 0) this.#waiting.delete(name);
    }
  }

  readonly #arrived = (stored: StoredEvent): void => {
    if (stored.type !== 'StepScheduled' || this.#waiting.size === 0) return;
    const arrived = attemptIn(stored);
    if (!arrived) return;
    const [taker] = this.#waiting.get(nameOf(arrived.workspace, arrived.attempt.agent)) ?? [];
    taker?.take(arrived.attempt);
  };
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

function nameOf(workspace: string, agent: string): string {
  return JSON.stringify([workspace, agent]);
}
