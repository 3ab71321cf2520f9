import { Inject, Injectable } from '@nestjs/common';
import { type Kysely } from 'kysely';

import { type Database } from '#database';
import {
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

/** `next`: the position after which there may be more. */
export type AttentionPage = Readonly<{
  found: readonly Readonly<{ head: ContextHead; reasons: readonly AttentionReason[] }>[];
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

  /** Newest first, with all reasons of each context. */
  async find({ criteria, reasons, page }: AttentionRequest): Promise<AttentionPage> {
    const filter = { ...criteria, status: 'open' };
    const [until, { tokenThreshold }] = await Promise.all([
      findPositionAfter(this.db, filter, { after: page.after, count: maxListed }),
      this.settings.find(filter.workspace),
    ]);
    const found: AttentionPage['found'][number][] = [];
    let { after } = page;
    let reads = 0;
    for (;;) {
      const range = { after, until, limit: candidatePageSize };
      const request = { filter, reasons, tokenThreshold };
      const candidates = await listAttentionCandidates(this.db, request, range);
      for (const { head, stated, mayBeStale } of candidates) {
        if (found.length === page.limit || reads === maxDecisionReads)
          return { found, next: after };
        after = head;
        if (mayBeStale) reads += 1;
        const isStale = mayBeStale && (await this.#hasStaleDecision(head));
        const present = attentionReasons.filter((reason) =>
          reason === 'stale-decision' ? isStale : stated.includes(reason),
        );
        if (present.some((reason) => reasons.includes(reason)))
          found.push({ head, reasons: present });
      }
      if (candidates.length < candidatePageSize) return { found, next: until };
    }
  }

  async #hasStaleDecision({ workspace, contextId }: ContextHead): Promise<boolean> {
    const request = { id: { workspace, contextId }, filter: undefined };
    const { state } = await this.reader.read(request, decisions);
    return hasStaleDecision(state.values());
  }
}
