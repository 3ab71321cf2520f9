import { type SourceDocument } from '#shared-context';

import { type PlannedEvent, type ReadDocument } from './document-format.js';
import { baseRef, itemOfRef, revisionOf, withRevision } from './item-ref.js';

/** Members of payloads that hold the id of the item that an event makes. */
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
 * Which revision of an item is the current one. An item that says something else in a later revision of a document, and whose
 * event cannot be stated again, is followed by another one: `record:notes` by `record:notes~2`.
 */
export class ItemRevisions {
  /** By the item that they are revisions of. */
  readonly #numbers: Map<string, number>;
  readonly #followed = new Set<string>();
  /** Items of the context that documents name otherwise: agents have made them. */
  readonly #adopted: Map<string, string>;

  private constructor(numbers: Map<string, number>, adopted: Map<string, string>) {
    this.#numbers = numbers;
    this.#adopted = adopted;
  }

  /** `documents`: what this release reads in the same texts. */
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

  /** Takes an item of the context for the one that documents name so. */
  adopt(item: string, known: string): void {
    if (item !== known) this.#adopted.set(item, known);
  }

  /** The id of the current revision of an item of a kind. */
  currentId(kind: string, id: string): string {
    return itemOfRef(this.current(`${kind}:${id}`)).key;
  }

  /** Begins the next revision of an item and returns the id that the one before has. */
  begin(item: string): string {
    const before = this.current(item);
    this.#followed.add(before);
    this.#adopted.delete(item);
    this.#numbers.set(item, (this.#numbers.get(item) ?? 1) + 1);
    return itemOfRef(before).key;
  }

  /** Of these items, those that were followed by a later revision. */
  replaced(items: ReadonlySet<string>): readonly string[] {
    return [...this.#followed].filter((item) => items.has(item));
  }

  /** The event about the current revision of its item, and of the decisions that it names. */
  rename(planned: PlannedEvent): PlannedEvent {
    const { event, item } = planned;
    if (event.type === 'BaselineImported') return planned;
    const member = idMembers.get(event.type);
    const id = itemOfRef(this.current(item)).key;
    const renamed = { ...event.data, ...(member === undefined ? {} : { [member]: id }) };
    const data = this.#withReferences(event.type, renamed);
    // Only ids are exchanged, so the payload is still one of its type.
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

  /** One that names a revision by itself means that one. */
  #decision(decisionId: string): string {
    return revisionOf(decisionId) > 1 ? decisionId : this.currentId('decision', decisionId);
  }
}

/** Stored pieces name the items of the context, and the same pieces read again name them as the document does. */
function adoptedIn(
  sources: readonly SourceDocument[],
  documents: readonly ReadDocument[],
): Map<string, string> {
  const read = new Map(documents.map(({ name, pieces }) => [name, pieces]));
  const pairs = sources.flatMap(({ name, pieces }) => pairItems(read.get(name) ?? [], pieces));
  return new Map(pairs.filter(([item, stored]) => baseRef(stored) !== item));
}

type Pair = readonly [item: string, stored: string];

/** The items of pieces one by one; none if the pieces are others than those that were stored. */
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
