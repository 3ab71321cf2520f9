import { Inject, Injectable } from '@nestjs/common';
import { type Kysely } from 'kysely';

import { type Database } from '#database';
import {
  type AttentionCandidate,
  type ContextFilter,
  type ContextListPosition,
  type Selection,
  findDecisionsOfContexts,
  findPositionAfter,
  listAttentionCandidates,
} from '#read-models';
import {
  type AttentionReason,
  type ContextHead,
  attentionReasons,
  hasStaleDecision,
} from '#shared-context';
import { FilteredReader } from '#visibility';

import { SettingsStore } from '../settings/settings-store.js';
import { DATABASE } from '../tokens.js';

type AttentionRequest = Readonly<{
  criteria: ContextFilter;
  reasons: readonly AttentionReason[];
  page: Readonly<{ after: ContextListPosition | undefined; limit: number }>;
}>;

type FoundContext = Readonly<{ head: ContextHead; attention: readonly AttentionReason[] }>;

/** `next`: the position after which there may be more. */
type AttentionPage = Readonly<{
  found: readonly FoundContext[];
  next: ContextListPosition | undefined;
}>;

const decisions: Selection = { kinds: ['decision'], bodies: true };
const candidatePageSize = 50;
/** One request examines at most this many listed contexts; its cursor continues after them. */
const maxListed = 2_000;
/** One request reads the decisions of at most this many contexts; its cursor continues after them. */
const maxDecisionReads = 200;
/** A context that is read alone, such as a fork, counts as this many. */
const readsAlone = 4;
/** Decisions that one statement reads at most for a page of candidates; if there are more, each context is read alone. */
const maxDecisions = 2_000;

/** Finds open contexts that need a person, for readers who see everything. */
@Injectable()
export class AttentionFinder {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<Database>,
    private readonly reader: FilteredReader,
    private readonly settings: SettingsStore,
  ) {}

  /** Newest first, with all reasons of each context; none if the criteria require another status. */
  async find(request: AttentionRequest): Promise<AttentionPage> {
    const { criteria, reasons, page } = request;
    const found: FoundContext[] = [];
    if (criteria.status !== undefined && criteria.status !== 'open')
      return { found, next: undefined };
    let { after } = page;
    let allReads = 0;
    const { contexts, end } = await this.#contexts(request);
    for await (const { head, attention, reads } of contexts) {
      if (found.length === page.limit || allReads >= maxDecisionReads)
        return { found, next: after };
      after = head;
      allReads += reads;
      if (attention.some((reason) => reasons.includes(reason))) found.push({ head, attention });
    }
    return { found, next: end };
  }

  /** The candidates among the first listed contexts, and the position after these if there are more. */
  async #contexts({ criteria, reasons, page: { after } }: AttentionRequest) {
    const filter = { ...criteria, status: 'open' };
    const [end, { tokenThreshold }] = await Promise.all([
      findPositionAfter(this.db, filter, { after, count: maxListed }),
      this.settings.find(filter.workspace),
    ]);
    const request = { filter, reasons, tokenThreshold };
    return { contexts: this.#pages(request, { after, until: end }), end };
  }

  /** `reads`: the share of the context in {@link maxDecisionReads}. */
  async *#pages(
    request: Parameters<typeof listAttentionCandidates>[1],
    { after, until }: Readonly<Record<'after' | 'until', ContextListPosition | undefined>>,
  ): AsyncGenerator<FoundContext & Readonly<{ reads: number }>> {
    for (let from = after; ;) {
      const range = { after: from, until, limit: candidatePageSize };
      const candidates = await listAttentionCandidates(this.db, request, range);
      const stale = await this.#staleAmong(request.filter.workspace, candidates);
      for (const { head, stated, mayBeStale } of candidates) {
        const known = mayBeStale ? stale.get(head.contextId) : false;
        const attention = inOrder(stated, known ?? (await this.#readIsStale(head)));
        yield { head, attention, reads: known === undefined ? readsAlone : Number(mayBeStale) };
      }
      if (candidates.length < candidatePageSize) return;
      from = candidates.at(-1)?.head;
    }
  }

  /** Whether candidates have a stale decision, as far as one statement can read that. */
  async #staleAmong(
    workspace: string,
    candidates: readonly AttentionCandidate[],
  ): Promise<ReadonlyMap<string, boolean>> {
    const contextIds = candidates
      .filter(({ mayBeStale, head }) => mayBeStale && head.lineage === null)
      .map(({ head }) => head.contextId);
    const request = { contextIds, limit: maxDecisions };
    const items = await findDecisionsOfContexts(this.db, workspace, request);
    return new Map(
      items && contextIds.map((id) => [id, hasStaleDecision(items.get(id) ?? [])] as const),
    );
  }

  async #readIsStale({ workspace, contextId }: ContextHead): Promise<boolean> {
    const request = { id: { workspace, contextId }, filter: undefined };
    const { state } = await this.reader.read(request, decisions);
    return hasStaleDecision(state.values());
  }
}

function inOrder(
  stated: AttentionCandidate['stated'],
  isStale: boolean,
): readonly AttentionReason[] {
  return attentionReasons.filter((reason) =>
    reason === 'stale-decision' ? isStale : stated.includes(reason),
  );
}
