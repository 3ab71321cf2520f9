import { type SourceDocument } from '#shared-context';

import { type PlannedEvent, type ReadDocument } from './document-format.js';
import { baseRef, itemOfRef, revisionOf, withRevision } from './item-ref.js';

/** Members of payloads with the id of the item that an event creates. */
const idMembers: ReadonlyMap<string, string> = new Map([
  ['DecisionRecorded', 'decisionId'],
  ['DecisionApproved', 'decisionId'],
  ['DecisionRejected', 'decisionId'],
  ['RecordAppended', 'recordId'],
  ['ReviewRecorded', 'reviewId'],
  ['HandoverNoted', 'handoverId'],
  ['HandoverAcknowledged', 'handoverId'],
  ['RiskRaised', 'riskId'],
  ['RiskUpdated', 'riskId'],
  ['BlockerRaised', 'blockerId'],
  ['BlockerCleared', 'blockerId'],
  ['TaskPlanned', 'taskId'],
  ['TaskStarted', 'taskId'],
  ['TaskBlocked', 'taskId'],
  ['TaskCompleted', 'taskId'],
  ['RequirementRecorded', 'requirementId'],
  ['ArtifactReferenced', 'artifactId'],
]);

/**
 * The current revisions of items. If an item differs in a later revision of a document, and its event cannot be
 * recorded again, another item follows it: `record:notes~2` follows `record:notes`.
 */
export class ItemRevisions {
  /** Revision numbers, by the item without a revision. */
  readonly #numbers: Map<string, number>;
  readonly #replaced = new Set<string>();
  /** Items that agents have created and that documents name differently. */
  readonly #adopted: Map<string, string>;

  private constructor(numbers: Map<string, number>, adopted: Map<string, string>) {
    this.#numbers = numbers;
    this.#adopted = adopted;
  }

  /** `documents`: the same texts as this release reads them. */
  static of(
    sources: readonly SourceDocument[],
    documents: readonly ReadDocument[] = [],
  ): ItemRevisions {
    const numbers = new Map<string, number>();
    for (const { pieces, removed } of sources)
      for (const item of [...pieces.flatMap(({ items }) => items), ...removed])
        numbers.set(baseRef(item), Math.max(numbers.get(baseRef(item)) ?? 1, revisionOf(item)));
    return new ItemRevisions(numbers, adoptedIn(sources, documents));
  }

  current(item: string): string {
    return this.#adopted.get(item) ?? withRevision(item, this.#numbers.get(item) ?? 1);
  }

  /** Uses an item of the context for the item that documents call `item`. */
  adopt(item: string, known: string): void {
    if (item !== known) this.#adopted.set(item, known);
  }

  /** The id of the current revision of an item. */
  currentId(kind: string, id: string): string {
    return itemOfRef(this.current(`${kind}:${id}`)).key;
  }

  /** Begins the next revision of an item and returns the id of the previous one. */
  begin(item: string): string {
    const before = this.current(item);
    this.#replaced.add(before);
    this.#adopted.delete(item);
    this.#numbers.set(item, (this.#numbers.get(item) ?? 1) + 1);
    return itemOfRef(before).key;
  }

  /** The items among these that a later revision has replaced. */
  replaced(items: ReadonlySet<string>): readonly string[] {
    return [...this.#replaced].filter((item) => items.has(item));
  }

  /** The event with the ids of the current revisions of its item and of the items that it refers to. */
  rename(planned: PlannedEvent): PlannedEvent {
    const { event, item } = planned;
    if (event.type === 'BaselineImported') return planned;
    const member = idMembers.get(event.type);
    const id = itemOfRef(this.current(item)).key;
    const renamed = { ...event.data, ...(member === undefined ? {} : { [member]: id }) };
    const data = this.#withReferences(event.type, renamed);
    // Only ids are replaced, so the payload still has its type.
    return { ...planned, item: this.current(item), event: { ...event, data } as typeof event };
  }

  #withReferences(type: string, data: Readonly<Record<string, unknown>>): object {
    if (type === 'DecisionRecorded') return this.#withDecisions(data);
    const { partOf, dependsOn } = data;
    if (type !== 'TaskPlanned') return data;
    return {
      ...data,
      ...(typeof partOf === 'string' && { partOf: this.currentId('task', partOf) }),
      ...(Array.isArray(dependsOn) && {
        dependsOn: dependsOn.map((taskId) => this.currentId('task', String(taskId))),
      }),
    };
  }

  #withDecisions(data: Readonly<Record<string, unknown>>): object {
    const { supersedes, relatedDecisions } = data;
    return {
      ...data,
      ...(typeof supersedes === 'string' && { supersedes: this.#decision(supersedes) }),
      ...(Array.isArray(relatedDecisions) && {
        relatedDecisions: relatedDecisions.map((related: { decisionId: string }) => ({
          ...related,
          decisionId: this.#decision(related.decisionId),
        })),
      }),
    };
  }

  /** An id with a revision refers to that revision. */
  #decision(decisionId: string): string {
    return revisionOf(decisionId) > 1 ? decisionId : this.currentId('decision', decisionId);
  }
}

/** Stored pieces name the items of the context; the same pieces, read again, name them like the document. */
function adoptedIn(
  sources: readonly SourceDocument[],
  documents: readonly ReadDocument[],
): Map<string, string> {
  const read = new Map(documents.map(({ name, pieces }) => [name, pieces]));
  const pairs = sources.flatMap(({ name, pieces }) => pairItems(read.get(name) ?? [], pieces));
  return new Map(pairs.filter(([item, stored]) => baseRef(stored) !== item));
}

type Pair = readonly [item: string, stored: string];

/** Pairs the items of pieces; empty if the pieces differ from the stored ones. */
function pairItems(
  read: ReadDocument['pieces'],
  stored: SourceDocument['pieces'],
): readonly Pair[] {
  const areAlike =
    read.length === stored.length &&
    read.every(({ items }, at) => items.length === stored[at]?.items.length);
  if (!areAlike) return [];
  return read.flatMap(({ items }, at) =>
    items.map((item, index): Pair => [item, stored[at]?.items[index] ?? item]),
  );
}
