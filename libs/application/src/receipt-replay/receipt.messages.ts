import { Query } from '@nestjs/cqrs';

import { type ReceiptFacts, type ViewItem } from '#context-views';
import { type JsonObject } from '#event-sourcing';

import { type Principal } from '../access/principal.js';
import { type SnapshotTag } from '../reading/snapshot-tag.js';
import { type Page, type PageRequest } from '../paging/page.js';

/**
 * Why a text is missing: its renderer has another version; data without versions has changed; the receipt has only
 * hashes of its input; its parameters are unknown; the policy of its audience has changed; or it may contain facts
 * about contexts that the key does not reach.
 */
export const textMissing = [
  'other-renderer',
  'changed',
  'not-repeatable',
  'unknown-parameters',
  'other-policy',
  'out-of-reach',
] as const;
export type TextMissing = (typeof textMissing)[number];

export type CitingEvent = Readonly<{
  contextId: string;
  eventId: string;
  type: string;
  version: number;
}>;

/** A receipt and its text. `kept`: it was cited, so the text is stored; otherwise the text was rendered again. */
export type ReceiptView = Pick<
  ReceiptFacts,
  'contextId' | 'version' | 'audience' | 'kind' | 'parameters' | 'renderer' | 'hash'
> &
  Readonly<{
    receipt: string;
    /** The events that are visible to the reader, oldest first. */
    citedBy: readonly CitingEvent[];
    citedByTruncated: boolean;
    text: string | null;
    kept: boolean;
    missing: TextMissing | null;
    /** An explanation of `missing` in a sentence. */
    missingDetail: string | null;
  }>;

/**
 * Throws ResourceNotFoundError for a receipt that the reader may not open, and ReceiptErasedError if its text was
 * erased.
 */
export class FindReceiptQuery extends Query<ReceiptView> {
  constructor(
    readonly request: Readonly<{
      principal: Principal;
      receipt: string;
      signal?: AbortSignal | undefined;
    }>,
  ) {
    super();
  }
}

/**
 * The receipt that a decision cites. `receipt` is null if the reader may not open it; the other fields are null if this
 * server did not sign it.
 */
export type Basis = Readonly<{
  receipt: string | null;
  contextId: string | null;
  version: number | null;
  audience: string | null;
  kind: ReceiptFacts['kind'] | null;
}>;

type OmittedItem = Readonly<{ ref: string; version: number }>;

/** Items that existed, but that the cited read did not show to the author; null if unknown. */
export type OmissionReport = Readonly<{
  /** Hidden by the audience of the read. */
  byAudience: readonly OmittedItem[] | null;
  /** Omitted by the requested sections or focus. Empty if the read had none. */
  byChoice: readonly OmittedItem[] | null;
  /** Shortened by the budget of the view. Empty if the read had none. */
  byBudget: readonly ViewItem[] | null;
}>;

/**
 * The knowledge of the author of a decision. `recorded`: the events of others between the cited read and the decision,
 * oldest first. If the decision cites no read of this context, all events after the previous write of the author;
 * whether the author knew them is then unknown.
 */
export type DecisionKnowledge = SnapshotTag &
  Readonly<{
    contextId: string;
    decisionId: string;
    decidedAt: number;
    agentId: string;
    basedOn: Basis | null;
    recorded: Readonly<{ after: number; seen: 'no' | 'unknown' }>;
    leftOut: OmissionReport | null;
    page: Page<JsonObject>;
  }>;

export class FindKnowledgeQuery extends Query<DecisionKnowledge> {
  constructor(
    readonly request: PageRequest &
      Readonly<{
        principal: Principal;
        contextId: string;
        decisionId: string;
        audience?: string | undefined;
        signal?: AbortSignal | undefined;
      }>,
  ) {
    super();
  }
}
