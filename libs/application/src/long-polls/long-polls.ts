import { Injectable } from '@nestjs/common';

import { type StoredEvent } from '#event-sourcing';
import { ContextNotFoundError } from '#shared-context';

import { type Principal } from '../access/principal.js';
import { ForbiddenError, KeyEndedError, ResourceNotFoundError } from '../errors.js';
import { KeyStore } from '../keys/key-store.js';
import { AnswerQueue } from './answer-queue.js';
import { ContextChanges } from './context-changes.js';
import { Deadlines } from './deadlines.js';
import { GroupIndex } from './group-index.js';
import { PollGroup } from './poll-group.js';
import { type Question } from './question.js';
import { ReadQueue } from './read-queue.js';
import { WaitLimits } from './wait-limits.js';
import { type Outcome, WaitingRequest } from './waiting-request.js';

/** Who waits, how long at most, and the signal of the client. */
export type Waiter = Readonly<{
  principal: Principal;
  seconds: number;
  signal?: AbortSignal | undefined;
}>;

/**
 * The first read of a request, with the permissions of its principal: it must throw if the request is to be refused.
 * `mayShare`: whether the request may use a shared read, as far as that is known without reading.
 * `isOwn`: whether the result of a shared read is what the request's own read would have returned.
 */
export type FirstRead<Found> = Readonly<{
  own: () => Promise<Found>;
  mayShare: boolean;
  isOwn: (found: Found) => boolean;
}>;

/**
 * Requests that wait for something to be there. Those that ask for the same are a group: a change costs one read for all of
 * them, begun behind the change, and one look whether their keys are still good.
 */
@Injectable()
export class LongPolls {
  readonly #groups = new Map<string, PollGroup>();
  readonly #index = new GroupIndex();
  readonly #limits = new WaitLimits();
  readonly #answers = new AnswerQueue();
  readonly #reads = new ReadQueue((group) => this.#readFor(group));
  readonly #deadlines = new Deadlines((requests) => this.#readLast(requests));
  /** The group of each request that waits. */
  readonly #groupOf = new Map<WaitingRequest, PollGroup>();

  constructor(
    private readonly changes: ContextChanges,
    private readonly keys: KeyStore,
  ) {
    changes.onStop(() => this.#readLast(this.#limits.requests()));
  }

  /** How many requests wait in this process. */
  get waiting(): number {
    return this.#limits.count;
  }

  /**
   * Returns the answer at once if there is something to return, else as soon as there is. When the time is over or the server
   * stops, returns an empty answer.
   */
  async poll<Found>(
    { principal, seconds, signal }: Waiter,
    question: Question<Found>,
    first: FirstRead<Found>,
  ): Promise<Found> {
    if (seconds <= 0) return first.own();
    const deadline = performance.now() + seconds * 1000;
    const request = new WaitingRequest({ ...holderOf(principal), deadline, signal });
    this.#limits.add(request);
    try {
      // Before the first read, so that no change falls between.
      await this.changes.listen(this.#changed);
      const found = await this.#readFirst(request, this.#join(request, question), first);
      const isEnough = question.isThere(found) || this.changes.stopping;
      if (isEnough && !request.hasOutcome) return found;
      // Only requests whose questions have the same name, and so the same type of answer, are in one group.
      return (await request.outcome()) as Found;
    } finally {
      this.#leave(request);
    }
  }

  /** Ends the waits of a key at once: it was revoked. */
  endKey(keyId: string): void {
    const requests = this.#limits.ofKey(keyId);
    const refused = { error: new KeyEndedError('the key was revoked or has expired') };
    for (const request of requests) request.decide(refused);
    this.#answers.add(requests, refused);
  }

  /** Ends the waits of keys that were revoked by other processes, or have expired. */
  async endKeys(): Promise<void> {
    await this.#endAmong(this.#limits.keyIds());
  }

  readonly #changed = (event: StoredEvent): void => {
    for (const group of this.#index.affectedBy(event)) this.#reads.add(group);
  };

  /** If a group has several requests, a new one shares a read, because clients that were answered together return together. */
  async #readFirst<Found>(
    request: WaitingRequest,
    group: PollGroup,
    { own, mayShare, isOwn }: FirstRead<Found>,
  ): Promise<Found> {
    if (!mayShare || group.requests.size === 1) return own();
    try {
      const endKeys = () => this.#endAmong(keysOf([...group.requests]));
      // Only requests whose questions have the same name, and so the same type of answer, are in one group.
      const found = (await Promise.race([
        group.readShared(endKeys),
        // Whoever has left, or was answered, does not wait for the read.
        request.outcome(),
      ])) as Found;
      if (isOwn(found) || request.hasOutcome) return found;
    } catch (error) {
      // On a refusal, the request's own read throws the error for its principal. Other failures are the same for all requests.
      if (!isRefusal(error)) throw error;
    }
    return own();
  }

  #join(request: WaitingRequest, question: Question<unknown>): PollGroup {
    const { name } = question;
    const known = this.#groups.get(name);
    const group = known ?? new PollGroup(question);
    if (!known) {
      this.#groups.set(name, group);
      this.#index.add(group);
    }
    group.requests.add(request);
    this.#groupOf.set(request, group);
    this.#deadlines.add(request);
    return group;
  }

  #leave(request: WaitingRequest): void {
    request.close();
    this.#limits.delete(request);
    this.#deadlines.delete(request);
    const group = this.#groupOf.get(request);
    this.#groupOf.delete(request);
    group?.requests.delete(request);
    if (!group || group.requests.size > 0) return;
    this.#groups.delete(group.question.name);
    this.#index.delete(group);
    this.#reads.delete(group);
  }

  #readLast(requests: Iterable<WaitingRequest>): void {
    const groups = new Set<PollGroup>();
    for (const request of requests) {
      const group = this.#groupOf.get(request);
      group?.addDue(request);
      if (group) groups.add(group);
    }
    for (const group of groups) this.#reads.add(group);
  }

  async #readFor(group: PollGroup): Promise<void> {
    // Whoever comes later may not be answered with a read that began before.
    const asking = new Set(group.requests);
    const answering: Promise<void>[] = [];
    const answerDue = (found: unknown) => {
      const due = group.takeDue(asking);
      for (const request of due) asking.delete(request);
      answering.push(this.#answer(due, { found }));
    };
    try {
      const found = await group.question.read((soFar) => {
        answerDue(soFar);
        return [...asking].some((request) => !request.hasOutcome);
      });
      if (group.question.isThere(found)) await this.#answer([...asking], { found });
      else answerDue(found);
    } catch (error) {
      this.#answers.add([...asking], { error });
    }
    await Promise.all(answering);
  }

  /** Never rejects. Keys that have ended in the meantime get nothing. */
  async #answer(requests: readonly WaitingRequest[], outcome: Outcome): Promise<void> {
    try {
      await this.#endAmong(keysOf(requests));
      this.#answers.add(requests, outcome);
    } catch (error) {
      this.#answers.add(requests, { error });
    }
  }

  async #endAmong(keyIds: readonly string[]): Promise<void> {
    if (keyIds.length === 0) return;
    for (const keyId of await this.keys.findEnded(keyIds)) this.endKey(keyId);
  }
}

function isRefusal(error: unknown): boolean {
  return (
    error instanceof ContextNotFoundError ||
    error instanceof ForbiddenError ||
    error instanceof ResourceNotFoundError
  );
}

function holderOf({ keyId, name }: Principal) {
  return { keyId, holder: keyId === null ? `of ${name}` : `key ${keyId}` };
}

function keysOf(requests: readonly WaitingRequest[]): readonly string[] {
  return [...new Set(requests.flatMap(({ keyId }) => keyId ?? []))];
}
