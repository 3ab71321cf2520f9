import { everything } from '#visibility';

import { type DeniedAttempts } from './denied-attempts.js';
import { type QueueFilter } from './queue-filter.js';
import { type WaitingAttempt } from './waiting-attempt.js';

/** A waiting worker. It gets one attempt of its agents, and no other one unless it is added again. */
export type AttemptTaker = Readonly<{
  take: (attempt: WaitingAttempt) => void;
  /** Called when the server drains, so that no further attempt starts. */
  stop: () => void;
}>;

/** `audience`: the audience of the envelopes of the worker. */
export type WaitingFilter = QueueFilter & Readonly<{ audience: string }>;

/** Workers of one audience whose keys have the same limits, with their agents, in the order in which they began to wait. */
export type WaitingGroup = Readonly<{
  filter: WaitingFilter;
  takers: Map<AttemptTaker, ReadonlySet<string>>;
}>;

/** The waiting workers of this process. */
export class WaitingWorkers {
  readonly #groups = new Map<string, WaitingGroup>();

  constructor(private readonly denied: Pick<DeniedAttempts, 'isDenied'>) {}

  get isEmpty(): boolean {
    return this.#groups.size === 0;
  }

  add(filter: WaitingFilter, taker: AttemptTaker): void {
    const name = nameOf(filter);
    const group = this.#groups.get(name) ?? { filter, takers: new Map() };
    group.takers.set(taker, new Set(filter.agents));
    this.#groups.set(name, group);
  }

  delete(filter: WaitingFilter, taker: AttemptTaker): void {
    const name = nameOf(filter);
    const group = this.#groups.get(name);
    group?.takers.delete(taker);
    if (group?.takers.size === 0) this.#groups.delete(name);
  }

  stop(): void {
    for (const { takers } of this.#groups.values()) for (const taker of takers.keys()) taker.stop();
  }

  /** All groups; groups whose audience sees everything come first. */
  groups(): readonly WaitingGroup[] {
    const groups = [...this.#groups.values()];
    return [...groups.filter(seesAll), ...groups.filter((group) => !seesAll(group))];
  }

  /**
   * Removes and returns the worker to which an attempt of the workspace should be passed. Workers that see everything come
   * first, because inputs of the attempt may be hidden from others. Skips keys with limits, because only rows state which
   * contexts they reach.
   */
  remove(workspace: string, attempt: WaitingAttempt): AttemptTaker | undefined {
    const unlimited = { workspace, contexts: null, workflows: null };
    const unfiltered = this.#groups.get(nameOf({ ...unlimited, audience: everything }));
    const taker = unfiltered && removeFrom(unfiltered, attempt);
    if (taker) return taker;
    for (const group of this.#groups.values()) {
      const found = this.#mayTake(group, workspace, attempt) && removeFrom(group, attempt);
      if (found) return found;
    }
    return undefined;
  }

  /** Removes and returns the worker to which an attempt should be passed that a group can reach. */
  removeFor(group: WaitingGroup, attempt: WaitingAttempt): AttemptTaker | undefined {
    if (seesAll(group)) return removeFrom(group, attempt);
    return this.remove(group.filter.workspace, attempt) ?? removeFrom(group, attempt);
  }

  #mayTake({ filter }: WaitingGroup, workspace: string, attempt: WaitingAttempt): boolean {
    const { contexts, workflows, audience } = filter;
    const isReached = filter.workspace === workspace && contexts === null && workflows === null;
    return isReached && !this.denied.isDenied(workspace, audience, attempt);
  }
}

export function seesAll({ filter }: WaitingGroup): boolean {
  return filter.audience === everything;
}

/** Removes and returns the worker of a group that has waited longest for the agent of the attempt. */
function removeFrom({ takers }: WaitingGroup, { agent }: WaitingAttempt): AttemptTaker | undefined {
  for (const [taker, agents] of takers) {
    if (!agents.has(agent)) continue;
    takers.delete(taker);
    return taker;
  }
  return undefined;
}

function nameOf(filter: Omit<WaitingFilter, 'agents'>): string {
  const { workspace, contexts, workflows, audience } = filter;
  return JSON.stringify([workspace, contexts, workflows, audience]);
}
