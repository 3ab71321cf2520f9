import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';

import { seesWhole } from '../access/authorize.js';
import { type Principal } from '../access/principal.js';

const mostRemembered = 10_000;

/** Workers with keys that see and reach everything, as far as this process hears of them. */
@Injectable()
export class WideWorkers {
  /** How many of their claims are under way, by the agent. */
  readonly #claiming = new Map<string, number>();
  /** When such a worker of an agent was last heard of, by the monotonic clock. */
  readonly #heard = new LRUCache<string, number>({ max: mostRemembered });

  /** A worker asks for work of these agents, and may wait for it: the returned function says that it has been answered. */
  claims(principal: Principal, agents: readonly string[]): () => void {
    if (!isWide(principal)) return () => undefined;
    const names = agents.map((agent) => nameOf(principal.workspace, agent));
    for (const name of names) this.#claiming.set(name, (this.#claiming.get(name) ?? 0) + 1);
    return () => {
      for (const name of names) {
        const left = (this.#claiming.get(name) ?? 1) - 1;
        if (left > 0) this.#claiming.set(name, left);
        else this.#claiming.delete(name);
        this.#heard.set(name, performance.now());
      }
    };
  }

  /** A worker carries out an attempt of this agent. */
  hear(principal: Principal, agent: string): void {
    if (isWide(principal)) this.#heard.set(nameOf(principal.workspace, agent), performance.now());
  }

  /** When one of this agent was last heard of, by the monotonic clock; Infinity while one asks for work. Undefined if that was never. */
  lastHeard(workspace: string, agent: string): number | undefined {
    const name = nameOf(workspace, agent);
    return this.#claiming.has(name) ? Infinity : this.#heard.get(name);
  }
}

function isWide(principal: Principal): boolean {
  return seesWhole(principal) && principal.contexts === null && principal.workflows === null;
}

function nameOf(workspace: string, agent: string): string {
  return JSON.stringify([workspace, agent]);
}
