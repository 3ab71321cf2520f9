import { Query } from '@nestjs/cqrs';

import { type ReceiptFacts, type ViewItem } from '#context-views';
import { type JsonObject } from '#event-sourcing';

import { type Principal } from '../access/principal.js';
import { type SnapshotTag } from '../reading/snapshot-tag.js';
import { type Page, type PageRequest } from '../paging/page.js';

/**
 * Why a text is not there: made by another version of what makes it, of what has changed and has no versions, of what
 * only hashes are known of, in words that this code does not know, for a policy that is not in force for the reader any
 * more, or of contexts that its key may not reach.
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
    /** As far as the reader sees them, oldest first. */
    citedBy: readonly CitingEvent[];
    citedByTruncated: boolean;
    text: string | null;
    kept: boolean;
    missing: TextMissing | null;
    /** The same in a sentence. */
    missingDetail: string | null;
  }>;

/** Throws ResourceNotFoundError for what is no receipt to the reader, ReceiptErasedError where its text was erased. */
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

/** What a decision cites. `receipt` is null for whom it is not, and the rest where this server has not signed it. */
export type Basis = Readonly<{
  receipt: string | null;
  contextId: string | null;
  version: number | null;
  audience: string | null;
  kind: ReceiptFacts['kind'] | null;
}>;

type OmittedItem = Readonly<{ ref: string; version: number }>;

/** Items that existed and that the receipts cited by a decision did not show to its author; null if that is unknown. */
export type OmittedItems = Readonly<{
  /** By its audience. */
  byAudience: readonly OmittedItem[] | null;
  /** By the sections or the focus it asked for. Empty if the read had none. */
  byChoice: readonly OmittedItem[] | null;
  /** By its budget: shown in a shorter form. Empty if the read had none. */
  byBudget: readonly ViewItem[] | null;
}>;

/**
 * What the author of a decision had seen. `recorded`: what others recorded between that and the decision, oldest first;
 * where it cites nothing of this context, all that is behind its own last write, and whether it knew is unknown.
 */
export type Knowledge = SnapshotTag &
  Readonly<{
    contextId: string;
    decisionId: string;
    decidedAt: number;
    agentId: string;
    basedOn: Basis | null;
    recorded: Readonly<{ after: number; seen: 'no' | 'unknown' }>;
    leftOut: OmittedItems | null;
    page: Page<JsonObject>;
  }>;

export class FindKnowledgeQuery extends Query<Knowledge> {
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
