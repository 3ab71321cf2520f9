import { Injectable } from '@nestjs/common';

import { type StoredEvent } from '#event-sourcing';

import { KeyEndedError } from '../errors.js';
import { KeyStore } from '../authentication/key-store.js';
import { AnswerQueue } from './answer-queue.js';
import { ContextChanges } from './context-changes.js';
import { Deadlines } from './deadlines.js';
import { type FirstRead, isRefusal } from './first-read.js';
import { type PollGroup } from './poll-group.js';
import { PollGroups } from './poll-groups.js';
import { type Question } from './question.js';
import { ReadQueue } from './read-queue.js';
import { WaitLimits } from './wait-limits.js';
import { type Waiter, holderOf } from './waiter.js';
import { type Outcome, WaitingRequest } from './waiting-request.js';

/** Other users of keys besides waiting requests, such as live streams. */
export type KeyHolders = Readonly<{
  keyIds: () => Iterable<string>;
  /** Called when the key was revoked or has expired. */
  endKey: (keyId: string, error: Error) => void;
}>;

/**
 * Requests that wait for an answer. Requests with the same question form a group: after a change, one read answers the whole
 * group, and one query checks whether its keys are still valid.
 */
@Injectable()
export class LongPolls {
  readonly #groups = new PollGroups();
  readonly #limits = new WaitLimits();
  readonly #answers = new AnswerQueue();
  readonly #reads = new ReadQueue((group) => this.#readFor(group));
  readonly #deadlines = new Deadlines((requests) => this.#readLast(requests));
  readonly #holders: KeyHolders[] = [];

  constructor(
    private readonly changes: ContextChanges,
    private readonly keys: KeyStore,
  ) {
    changes.onStop(() => this.#readLast(this.#limits.requests()));
  }

  /** The number of waiting requests in this process. */
  get waiting(): number {
    return this.#limits.count;
  }

  /**
   * Returns the answer as soon as it is not empty. At the deadline, or when the server stops, returns the answer even if it is
   * empty.
   */
  async poll<Found>(
    { principal, seconds, signal, isStream }: Waiter,
    question: Question<Found>,
    first: FirstRead<Found>,
  ): Promise<Found> {
    if (seconds <= 0) return first.own();
    const deadline = performance.now() + seconds * 1000;
    const request = new WaitingRequest({
      ...holderOf(principal, isStream),
      deadline,
      signal,
      isLimited: !isStream,
    });
    this.#limits.add(request);
    try {
      // Listens before the first read, so that the request misses no change.
      await this.changes.listen(this.#changed);
      const group = this.#groups.join(request, question);
      this.#deadlines.add(request);
      if (this.changes.stopping || !first.isCurrent?.()) {
        const found = await this.#readFirst(request, group, first);
        const isEnough = question.hasAnswer(found) || this.changes.stopping;
        if (isEnough && !request.hasOutcome) return found;
      }
      // The cast is safe: a group has only requests whose questions have the same name, and so the same type of answer.
      return (await request.outcome()) as Found;
    } finally {
      this.#leave(request);
    }
  }

  /** Refuses the waiting requests of a revoked key at once. */
  endKey(keyId: string): void {
    const requests = this.#limits.ofKey(keyId);
    const refused = { error: new KeyEndedError('the key was revoked or has expired') };
    for (const request of requests) request.decide(refused);
    this.#answers.add(requests, refused);
    for (const holders of this.#holders) holders.endKey(keyId, refused.error);
  }

  /** Includes the keys of these holders in the checks of keys. */
  watch(holders: KeyHolders): void {
    this.#holders.push(holders);
  }

  /** Refuses the waiting requests of keys that other processes have revoked, or that have expired. */
  async endKeys(): Promise<void> {
    const others = this.#holders.flatMap((holders) => [...holders.keyIds()]);
    await this.#endInvalid([...new Set([...this.#limits.keyIds(), ...others])]);
  }

  readonly #changed = (event: StoredEvent): void => {
    for (const group of this.#groups.affectedBy(event)) this.#reads.add(group);
  };

  /** A request that joins others shares their read: clients that were answered together send their next requests together. */
  async #readFirst<Found>(
    request: WaitingRequest,
    group: PollGroup,
    { own, mayShare, isOwn }: FirstRead<Found>,
  ): Promise<Found> {
    if (!mayShare || group.requests.size === 1) return own();
    try {
      const endKeys = () => this.#endInvalid(keysOf([...group.requests]));
      // The cast is safe, as in `poll`.
      const found = (await Promise.race([
        group.readShared(endKeys),
        // A request that has ended or was answered does not wait for the read.
        request.outcome(),
      ])) as Found;
      if (isOwn(found) || request.hasOutcome) return found;
    } catch (error) {
      // After a refusal, the request reads for itself, to get the error for its own principal. Other failures are shared.
      if (!isRefusal(error)) throw error;
    }
    return own();
  }

  #leave(request: WaitingRequest): void {
    request.close();
    this.#limits.delete(request);
    this.#deadlines.delete(request);
    const group = this.#groups.leave(request);
    if (group) this.#reads.delete(group);
  }

  #readLast(requests: Iterable<WaitingRequest>): void {
    for (const group of this.#groups.addDue(requests)) this.#reads.add(group);
  }

  async #readFor(group: PollGroup): Promise<void> {
    // Requests that arrive later must not be answered with this read.
    const pending = new Set(group.requests);
    const answering: Promise<void>[] = [];
    const answerDue = (found: unknown) => {
      const due = group.takeDue(pending);
      for (const request of due) pending.delete(request);
      answering.push(this.#answer(due, { found }));
    };
    try {
      const found = await group.question.read((soFar) => {
        answerDue(soFar);
        return [...pending].some((request) => !request.hasOutcome);
      });
      if (group.question.hasAnswer(found)) await this.#answer([...pending], { found });
      else answerDue(found);
    } catch (error) {
      this.#answers.add([...pending], { error });
    }
    await Promise.all(answering);
  }

  /** Never rejects. Refuses the requests of keys that have ended meanwhile. */
  async #answer(requests: readonly WaitingRequest[], outcome: Outcome): Promise<void> {
    try {
      await this.#endInvalid(keysOf(requests));
      this.#answers.add(requests, outcome);
    } catch (error) {
      this.#answers.add(requests, { error });
    }
  }

  async #endInvalid(keyIds: readonly string[]): Promise<void> {
    if (keyIds.length === 0) return;
    for (const keyId of await this.keys.findEnded(keyIds)) this.endKey(keyId);
  }
}

function keysOf(requests: readonly WaitingRequest[]): readonly string[] {
  return [...new Set(requests.flatMap(({ keyId }) => keyId ?? []))];
}
