import { setTimeout as wait } from 'node:timers/promises';

import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';

import { everything } from '#context-views';
import { type StoredEvent } from '#event-sourcing';
import { type ContextId, type DecodedEvent, contextOfStream, decodeEvent } from '#read-models';

import { ContextChanges } from '../long-polls/context-changes.js';
import { FAILURE_LOG, type FailureLog } from '../tokens.js';
import { OwnWrites } from '../writing/own-writes.js';
import { type Passing, RoomLooks, agentsOf, placeOf } from './room-looks.js';
import { type WaitingAttempt } from './waiting-attempt.js';
import { type QueueFilter, WorkQueue } from './work-queue.js';

/**
 * Who waits for an attempt: it is passed to one of those who wait for its agent, who then is given no other one unless they listen again.
 */
export type AttemptTaker = Readonly<{
  take: (attempt: WaitingAttempt) => void;
  /** The server drains, so that nothing more is started. */
  stop: () => void;
}>;

/** `until`: how long it is remembered, by the monotonic clock of this process. */
type ArrivedAttempt = Readonly<{ workspace: string; attempt: WaitingAttempt; until: number }>;

/** `audience`: what those who wait are given is made for it. */
export type WaitingFilter = QueueFilter & Readonly<{ audience: string }>;

/** Those of one audience who wait for attempts that keys with the same limits reach, the one that has waited longest first. */
type WaitingGroup = Readonly<{
  filter: WaitingFilter;
  takers: Map<AttemptTaker, ReadonlySet<string>>;
}>;

/** Rows are looked at about so often: for attempts whose time comes later, or that another process let go or made room for. */
const pollMs = 1_000;
/** So many attempts are looked for at a time, whatever their agents. */
const mostAtOnce = 500;
/** How long an attempt that no worker waits for is remembered: the worker that has just reported is about to ask for it. */
const rememberMs = 2_000;
const mostRemembered = 1_000;
/** So many attempts that this process has scheduled are known when the feed brings them again. */
const mostOffered = 10_000;

/**
 * Attempts for workers that wait in this process: as they are scheduled, in whichever process, before any row is there, and by looking
 * at the rows once a second for all of them together.
 */
@Injectable()
export class WorkArrivals {
  readonly #groups = new Map<string, WaitingGroup>();
  /** Attempts of the last moments that nobody waited for, the oldest first. */
  readonly #unclaimed = new Set<ArrivedAttempt>();
  readonly #offered = new LRUCache<string, true>({ max: mostOffered });
  readonly #roomLooks: RoomLooks<WaitingGroup>;
  #polling: Promise<void> | undefined;

  constructor(
    private readonly changes: ContextChanges,
    private readonly queue: WorkQueue,
    writes: OwnWrites,
    @Inject(FAILURE_LOG) private readonly failed: FailureLog,
  ) {
    writes.listen(({ workspace, contextId }, events) => {
      for (const event of events) this.#note({ workspace, contextId }, event);
    });
    this.#roomLooks = new RoomLooks(queue, {
      groups: () => this.#inOrder(),
      look: (group, passing) => this.#look(group, passing),
      failed: (error) => this.#noteFailure(error),
    });
    queue.limits.onRoom((workspace, held) => {
      if (held) this.putBack(workspace, held);
      void this.#roomLooks.note(workspace);
    });
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
  async listen(filter: WaitingFilter, taker: AttemptTaker): Promise<void> {
    const name = nameOf(filter);
    const group = this.#groups.get(name) ?? { filter, takers: new Map() };
    group.takers.set(taker, new Set(filter.agents));
    this.#groups.set(name, group);
    await this.changes.listen(this.#arrived);
    this.#polling ??= this.#poll();
    this.#offerUnclaimed();
  }

  /** An attempt that its taker has not come to: somebody else may start it. */
  putBack(workspace: string, attempt: WaitingAttempt): void {
    this.#offer({ workspace, attempt, until: performance.now() + rememberMs });
  }

  forget(filter: WaitingFilter, taker: AttemptTaker): void {
    const name = nameOf(filter);
    const group = this.#groups.get(name);
    group?.takers.delete(taker);
    if (group?.takers.size === 0) this.#groups.delete(name);
  }

  readonly #arrived = (stored: StoredEvent): void => {
    const id = stored.type === 'StepScheduled' ? contextOfStream(stored.stream) : undefined;
    const event = id && decodeEvent(stored);
    if (event) this.#note(id, event);
  };

  /** Which contexts keys with limits reach, only rows say. */
  #note({ workspace, contextId }: ContextId, event: DecodedEvent): void {
    const attempt = attemptIn(contextId, event);
    if (!attempt) return;
    const name = JSON.stringify([workspace, placeOf(attempt)]);
    if (this.#offered.has(name)) return;
    this.#offered.set(name, true);
    this.#offer({ workspace, attempt, until: performance.now() + rememberMs });
  }

  #offer(arrived: ArrivedAttempt): void {
    const { workspace, attempt } = arrived;
    const taker = this.#takerOf(workspace, attempt);
    this.#unclaimed.delete(arrived);
    if (taker) {
      taker.take(attempt);
      return;
    }
    this.#unclaimed.add(arrived);
    const [oldest] = this.#unclaimed;
    if (oldest && this.#unclaimed.size > mostRemembered) this.#unclaimed.delete(oldest);
  }

  /** Whoever sees everything comes first: what an attempt needs may be hidden from others. */
  #takerOf(workspace: string, attempt: WaitingAttempt): AttemptTaker | undefined {
    const unlimited = { workspace, contexts: null, workflows: null };
    const whole = this.#groups.get(nameOf({ ...unlimited, audience: everything }));
    const taker = whole && takerOf(whole, attempt);
    if (taker) return taker;
    for (const group of this.#groups.values()) {
      const found = this.#mayOffer(group, workspace, attempt) && takerOf(group, attempt);
      if (found) return found;
    }
    return undefined;
  }

  #mayOffer({ filter }: WaitingGroup, workspace: string, attempt: WaitingAttempt): boolean {
    const { contexts, workflows, audience } = filter;
    const isReached = filter.workspace === workspace && contexts === null && workflows === null;
    return isReached && !this.queue.denied.isDenied(workspace, audience, attempt);
  }

  #offerUnclaimed(): void {
    const now = performance.now();
    for (const arrived of [...this.#unclaimed])
      if (arrived.until < now) this.#unclaimed.delete(arrived);
      else this.#offer(arrived);
  }

  /** As long as anybody waits. */
  async #poll(): Promise<void> {
    while (this.#groups.size > 0 && !this.stopping) {
      await wait(pollMs * (0.5 + Math.random()), undefined, { ref: false });
      // What one look has found another one may find before it is claimed.
      const passed = new Map<string, Set<string>>();
      for (const group of this.#inOrder()) {
        const { workspace } = group.filter;
        const ofWorkspace = passed.get(workspace) ?? new Set();
        passed.set(workspace, ofWorkspace);
        await this.#tryLook(group, ofWorkspace);
      }
    }
    this.#polling = undefined;
  }

  /** Those first who see everything. */
  #inOrder(): readonly WaitingGroup[] {
    const groups = [...this.#groups.values()];
    return [...groups.filter(seesAll), ...groups.filter((group) => !seesAll(group))];
  }

  #tryLook(group: WaitingGroup, passed: Set<string>): Promise<void> {
    return this.#look(group, { passed, most: Infinity }).catch((error: unknown) =>
      this.#noteFailure(error),
    );
  }

  #noteFailure(error: unknown): void {
    this.failed(error, 'could not look for work that waits');
  }

  /** `passed`: attempts that others were given, to which those of this group are added, up to `most`. */
  async #look(group: WaitingGroup, { passed, most }: Passing): Promise<void> {
    const { filter, takers } = group;
    const agents = agentsOf(group);
    if (agents.length === 0) return;
    const limit = Math.min(Math.ceil(mostAtOnce / agents.length), takers.size + passed.size);
    const except = seesAll(group) ? [] : this.queue.denied.of({ ...filter, agents });
    const waiting = await this.queue.waiting({ ...filter, agents, except }, limit);
    for (const attempt of waiting) {
      const place = placeOf(attempt);
      if (passed.has(place) || passed.size >= most) continue;
      const taker = this.#takerFor(group, attempt);
      if (!taker) continue;
      passed.add(place);
      taker.take(attempt);
    }
  }

  /** Of an attempt that was found for a group. */
  #takerFor(group: WaitingGroup, attempt: WaitingAttempt): AttemptTaker | undefined {
    if (seesAll(group)) return takerOf(group, attempt);
    return this.#takerOf(group.filter.workspace, attempt) ?? takerOf(group, attempt);
  }
}

function seesAll({ filter }: WaitingGroup): boolean {
  return filter.audience === everything;
}

/** Who has waited longest for its agent. */
function takerOf({ takers }: WaitingGroup, { agent }: WaitingAttempt): AttemptTaker | undefined {
  for (const [taker, agents] of takers) {
    if (!agents.has(agent)) continue;
    takers.delete(taker);
    return taker;
  }
  return undefined;
}

/** The attempt that an event schedules for at once; undefined if it is for later, or for the interpreter. */
function attemptIn(contextId: string, event: DecodedEvent): WaitingAttempt | undefined {
  if (event.type !== 'StepScheduled') return undefined;
  const { runId, stepId, visit, attempt, agent, dueAt, at } = event.data;
  if (agent === undefined || dueAt > at) return undefined;
  return { contextId, runId, stepId, visit, attempt, agent, version: event.version };
}

function nameOf(filter: Omit<WaitingFilter, 'agents'>): string {
  const { workspace, contexts, workflows, audience } = filter;
  return JSON.stringify([workspace, contexts, workflows, audience]);
}
