import { type StoredEvent } from '#event-sourcing';
import { contextOfStream } from '#shared-context';

import { Multimap } from './multimap.js';
import { type PollGroup } from './poll-group.js';
import { changedItems, nameOfItem, sourceNameOf, workspaceSourceName } from './question.js';

const anyType = '*';

/** Finds the groups whose answer an event may change, at a cost proportional to their number. */
export class GroupIndex {
  readonly #sources = new Map<string, GroupsOfSource>();

  add(group: PollGroup): void {
    const name = sourceNameOf(group.question);
    const source = this.#sources.get(name) ?? new GroupsOfSource();
    this.#sources.set(name, source);
    source.add(group);
  }

  delete(group: PollGroup): void {
    const name = sourceNameOf(group.question);
    const source = this.#sources.get(name);
    source?.delete(group);
    if (source?.isEmpty) this.#sources.delete(name);
  }

  affectedBy(event: StoredEvent): ReadonlySet<PollGroup> {
    const found = new Set<PollGroup>();
    const id = contextOfStream(event.stream);
    if (!id) return found;
    for (const name of [event.stream, workspaceSourceName(id.workspace)])
      this.#sources.get(name)?.addAffected(event, found);
    return found;
  }
}

/** The groups that wait for events of one context, or of one workspace. */
class GroupsOfSource {
  readonly #byType = new Multimap<PollGroup>();
  readonly #byItem = new Multimap<PollGroup>();

  get isEmpty(): boolean {
    return this.#byType.size === 0 && this.#byItem.size === 0;
  }

  add(group: PollGroup): void {
    for (const [map, name] of this.#namesOf(group)) map.add(name, group);
  }

  delete(group: PollGroup): void {
    for (const [map, name] of this.#namesOf(group)) map.delete(name, group);
  }

  addAffected(event: StoredEvent, found: Set<PollGroup>): void {
    for (const name of [anyType, event.type])
      for (const group of this.#byType.get(name)) if (isAfter(group, event)) found.add(group);
    if (this.#byItem.size === 0) return;
    const items = changedItems(event);
    const groups = items
      ? items.flatMap((name) => [...this.#byItem.get(name)])
      : this.#byItem.values();
    for (const group of groups) found.add(group);
  }

  #namesOf({
    question: { awaited },
  }: PollGroup): readonly (readonly [Multimap<PollGroup>, string])[] {
    if ('items' in awaited)
      return awaited.items.map((item) => [this.#byItem, nameOfItem(item)] as const);
    const types = awaited.types === 'any' ? [anyType] : awaited.types;
    return types.map((type) => [this.#byType, type] as const);
  }
}

/** Whether the event comes after the version after which the group requests events. */
function isAfter({ question: { awaited } }: PollGroup, { version }: StoredEvent): boolean {
  return !('types' in awaited) || version > (awaited.after ?? 0);
}
