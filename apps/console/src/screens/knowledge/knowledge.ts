import { type Decision } from '../decisions/decision.js';

/** The knowledge of an author, as `GET /v1/contexts/{id}/decisions/{decisionId}/knowledge` returns it: a page of events. */
export type KnowledgeAnswer = Readonly<{
  version: number;
  agentId: string;
  basedOn: Basis | null;
  recorded: Readonly<{ after: number; seen: 'no' | 'unknown' }>;
  /** On the first page only. */
  leftOut: OmissionReport | null;
  items: readonly RecordedEvent[];
  nextCursor: string | null;
}>;

/** The read that a decision cites. `receipt` is null if the key may not open it. */
export type Basis = Readonly<{
  receipt: string | null;
  link: string | null;
  contextId: string | null;
  version: number | null;
  audience: string | null;
  kind: string | null;
}>;

export type RecordedEvent = Readonly<{
  eventId: string;
  version: number;
  type: string;
  recordedAt: string;
  agentId: string;
  refs: readonly string[];
  line: string;
}>;

/** Each list is null if it is unknown. */
export type OmissionReport = Readonly<{
  byAudience: readonly OmittedItem[] | null;
  byChoice: readonly OmittedItem[] | null;
  byBudget: readonly OmittedItem[] | null;
}>;

type OmittedItem = Readonly<{ ref: string; version?: number; form?: string }>;

/** A receipt, as `GET /v1/receipts/{receipt}` returns it. */
export type Receipt = Readonly<{
  contextId: string;
  version: number;
  audience: string;
  kind: string;
  citedBy: readonly CitingEvent[];
  citedByTruncated: boolean;
  text: string | null;
  kept: boolean;
  missingDetail: string | null;
}>;

type CitingEvent = Readonly<{
  contextId: string;
  eventId: string;
  type: string;
  version: number;
}>;

/** A decision that names another one, and in which relation. */
type Naming = Readonly<{ decision: Decision; relation: string }>;

/** The decisions that name a decision, oldest first. A decision may name it in several relations. */
export function namingsOf(decisionId: string, decisions: readonly Decision[]): readonly Naming[] {
  return decisions.flatMap((decision) => {
    const { supersedes, relatedDecisions = [] } = decision;
    const related = relatedDecisions.filter((one) => one.decisionId === decisionId);
    const relations = related.map(({ relation }) => relation);
    const all = supersedes === decisionId ? ['supersedes', ...relations] : relations;
    return [...new Set(all)].map((relation) => ({ decision, relation }));
  });
}

/** The other events that cite a receipt; a decision is not evidence for itself. */
export function otherCitations(
  { citedBy }: Pick<Receipt, 'citedBy'>,
  { contextId, version }: Readonly<{ contextId: string; version: number }>,
): readonly CitingEvent[] {
  return citedBy.filter((event) => event.contextId !== contextId || event.version !== version);
}
