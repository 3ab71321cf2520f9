import { Inject, Injectable } from '@nestjs/common';
import { type Kysely } from 'kysely';

import { type Database } from '#database';
import {
  type AttentionCandidate,
  type ContextFilter,
  type ContextListPosition,
  type Selection,
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
    let reads = 0;
    const { candidates, end } = await this.#candidates(request);
    for await (const candidate of candidates) {
      if (found.length === page.limit || reads === maxDecisionReads) return { found, next: after };
      after = candidate.head;
      if (candidate.mayBeStale) reads += 1;
      const attention = await this.#reasonsOf(candidate);
      if (attention.some((reason) => reasons.includes(reason)))
        found.push({ head: candidate.head, attention });
    }
    return { found, next: end };
  }

  /** The candidates among the first listed contexts, and the position after these if there are more. */
  async #candidates({ criteria, reasons, page: { after } }: AttentionRequest) {
    const filter = { ...criteria, status: 'open' };
    const [end, { tokenThreshold }] = await Promise.all([
      findPositionAfter(this.db, filter, { after, count: maxListed }),
      this.settings.find(filter.workspace),
    ]);
    const request = { filter, reasons, tokenThreshold };
    return { candidates: this.#pages(request, { after, until: end }), end };
  }

  async *#pages(
    request: Parameters<typeof listAttentionCandidates>[1],
    { after, until }: Readonly<Record<'after' | 'until', ContextListPosition | undefined>>,
  ): AsyncGenerator<AttentionCandidate> {
    for (let from = after; ;) {
      const range = { after: from, until, limit: candidatePageSize };
      const candidates = await listAttentionCandidates(this.db, request, range);
      yield* candidates;
      if (candidates.length < candidatePageSize) return;
      from = candidates.at(-1)?.head;
    }
  }

  async #reasonsOf({
    head: { workspace, contextId },
    stated,
    mayBeStale,
  }: AttentionCandidate): Promise<readonly AttentionReason[]> {
    if (!mayBeStale) return stated;
    const request = { id: { workspace, contextId }, filter: undefined };
    const { state } = await this.reader.read(request, decisions);
    const isStale = hasStaleDecision(state.values());
    return attentionReasons.filter(
      (reason) =>
        stated.some((each) => each === reason) || (isStale && reason === 'stale-decision'),
    );
  }
}
