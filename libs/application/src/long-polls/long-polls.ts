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

/** What holds keys open beside requests that wait. */
export type KeyHolders = Readonly<{
  keyIds: () => Iterable<string>;
  /** The key was revoked or has expired. */
  endKey: (keyId: string, error: Error) => void;
}>;

/**
 * Requests that wait for something to be there. Those that ask for the same are a group: a change costs one read for all of
 * them, begun behind the change, and one look whether their keys are still good.
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

  /** How many requests wait in this process. */
  get waiting(): number {
    return this.#limits.count;
  }

  /**
   * Returns the answer at once if there is something to return, else as soon as there is. When the time is over or the server
   * stops, returns an empty answer.
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
      takesPlace: !isStream,
    });
    this.#limits.add(request);
    try {
      // Before the first read, so that no change falls between.
      await this.changes.listen(this.#changed);
      const group = this.#groups.join(request, question);
      this.#deadlines.add(request);
      if (this.changes.stopping || !first.isCurrent?.()) {
        const found = await this.#readFirst(request, group, first);
        const isEnough = question.isThere(found) || this.changes.stopping;
        if (isEnough && !request.hasOutcome) return found;
      }
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
    for (const holders of this.#holders) holders.endKey(keyId, refused.error);
  }

  /** From now on, keys of these holders end with those of waiting requests. */
  watch(holders: KeyHolders): void {
    this.#holders.push(holders);
  }

  /** Ends the waits of keys that were revoked by other processes, or have expired. */
  async endKeys(): Promise<void> {
    const held = this.#holders.flatMap((holders) => [...holders.keyIds()]);
    await this.#endAmong([...new Set([...this.#limits.keyIds(), ...held])]);
  }

  readonly #changed = (event: StoredEvent): void => {
    for (const group of this.#groups.affectedBy(event)) this.#reads.add(group);
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

function keysOf(requests: readonly WaitingRequest[]): readonly string[] {
  return [...new Set(requests.flatMap(({ keyId }) => keyId ?? []))];
}
