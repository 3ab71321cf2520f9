import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';

import { seesEverything } from '../access/reach.js';
import { type Principal } from '../access/principal.js';

const maxCached = 10_000;

/** Records the last sign of workers whose keys see and reach everything, such as a claim, a heartbeat or a report. */
@Injectable()
export class UnrestrictedWorkers {
  /** The number of their open claims, by agent. */
  readonly #claiming = new Map<string, number>();
  /** The time of the last sign, by agent, on the monotonic clock. */
  readonly #lastActivity = new LRUCache<string, number>({ max: maxCached });

  /** Records a claim of a worker of these agents. Call the returned function when the claim is answered. */
  noteClaim(principal: Principal, agents: readonly string[]): () => void {
    if (!isUnrestricted(principal)) return () => undefined;
    const names = agents.map((agent) => nameOf(principal.workspace, agent));
    for (const name of names) this.#claiming.set(name, (this.#claiming.get(name) ?? 0) + 1);
    return () => {
      for (const name of names) {
        const left = (this.#claiming.get(name) ?? 1) - 1;
        if (left > 0) this.#claiming.set(name, left);
        else this.#claiming.delete(name);
        this.#lastActivity.set(name, performance.now());
      }
    };
  }

  /** Records that a worker executes an attempt of this agent. */
  noteActivity(principal: Principal, agent: string): void {
    if (isUnrestricted(principal))
      this.#lastActivity.set(nameOf(principal.workspace, agent), performance.now());
  }

  /**
   * The time of the last sign of a worker of this agent, on the monotonic clock: Infinity during a claim, undefined if
   * none.
   */
  lastActivity(workspace: string, agent: string): number | undefined {
    const name = nameOf(workspace, agent);
    return this.#claiming.has(name) ? Infinity : this.#lastActivity.get(name);
  }
}

function isUnrestricted(principal: Principal): boolean {
  return seesEverything(principal) && principal.contexts === null && principal.workflows === null;
}

function nameOf(workspace: string, agent: string): string {
  return JSON.stringify([workspace, agent]);
}
