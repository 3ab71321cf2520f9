import { type StoredEvent } from '#event-sourcing';

import { GroupIndex } from './group-index.js';
import { PollGroup } from './poll-group.js';
import { type Question } from './question.js';
import { type WaitingRequest } from './waiting-request.js';

/** The groups of waiting requests. A group exists while at least one request waits for its question. */
export class PollGroups {
  readonly #byName = new Map<string, PollGroup>();
  readonly #index = new GroupIndex();
  readonly #ofRequest = new Map<WaitingRequest, PollGroup>();

  affectedBy(event: StoredEvent): ReadonlySet<PollGroup> {
    return this.#index.affectedBy(event);
  }

  join(request: WaitingRequest, question: Question<unknown>): PollGroup {
    const group = this.#byName.get(question.name) ?? this.#begin(question);
    group.requests.add(request);
    this.#ofRequest.set(request, group);
    return group;
  }

  /** Returns the group if it is empty now. */
  leave(request: WaitingRequest): PollGroup | undefined {
    const group = this.#ofRequest.get(request);
    this.#ofRequest.delete(request);
    group?.requests.delete(request);
    if (!group || group.requests.size > 0) return undefined;
    this.#byName.delete(group.question.name);
    this.#index.delete(group);
    return group;
  }

  /** Marks requests whose deadline has passed; returns the groups to read for them. */
  addDue(requests: Iterable<WaitingRequest>): ReadonlySet<PollGroup> {
    const groups = new Set<PollGroup>();
    for (const request of requests) {
      const group = this.#ofRequest.get(request);
      group?.addDue(request);
      if (group) groups.add(group);
    }
    return groups;
  }

  #begin(question: Question<unknown>): PollGroup {
    const group = new PollGroup(question);
    this.#byName.set(question.name, group);
    this.#index.add(group);
    return group;
  }
}
