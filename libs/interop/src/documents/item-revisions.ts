import { type SourceDocument } from '#shared-context';

import { type PlannedEvent } from './document-format.js';
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
]);

/**
 * Which revision of an item is the current one. An item that says something else in a later revision of a document, and whose
 * event cannot be stated again, is followed by another one: `record:notes` by `record:notes~2`.
 */
export class ItemRevisions {
  /** By the item that they are revisions of. */
  readonly #numbers: Map<string, number>;
  readonly #followed = new Set<string>();

  private constructor(numbers: Map<string, number>) {
    this.#numbers = numbers;
  }

  static of(sources: readonly SourceDocument[]): ItemRevisions {
    const numbers = new Map<string, number>();
    for (const { pieces, removed } of sources)
      for (const item of [...pieces.flatMap(({ items }) => items), ...removed])
        numbers.set(baseRef(item), Math.max(numbers.get(baseRef(item)) ?? 1, revisionOf(item)));
    return new ItemRevisions(numbers);
  }

  current(item: string): string {
    return withRevision(item, this.#numbers.get(item) ?? 1);
  }

  /** The id of the current revision of an item of a kind. */
  currentId(kind: string, id: string): string {
    return itemOfRef(this.current(`${kind}:${id}`)).key;
  }

  /** Begins the next revision of an item and returns the id that the one before has. */
  begin(item: string): string {
    const before = this.current(item);
    this.#followed.add(before);
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
    const data = event.type === 'DecisionRecorded' ? this.#withDecisions(renamed) : renamed;
    // Only ids are exchanged, so the payload is still one of its type.
    return { ...planned, item: this.current(item), event: { ...event, data } as typeof event };
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
