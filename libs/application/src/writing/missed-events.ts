import { Inject, Injectable } from '@nestjs/common';

import { ContextReader } from '#read-models';
import { type ContextId } from '#shared-context';
import { FilteredReader } from '#visibility';

import { type Principal } from '../access/principal.js';
import { Audiences } from '../audiences/audiences.js';
import { type ConflictingEvents, ConditionFailedError } from '../errors.js';
import { shownBytes, withinBytes } from '../paging/page-bytes.js';
import { showEvent } from '../reading/event-view.js';
import { ConflictPauses } from './conflict-pauses.js';

/** The most events a refused condition shows of what was missed. */
const maxMissed = 100;

type Span = Readonly<{ expected: number; current: number }>;

/** What a writer missed who decided on an older version. */
@Injectable()
export class MissedEvents {
  constructor(
    @Inject(ContextReader) private readonly reader: ContextReader,
    private readonly audiences: Audiences,
    private readonly filteredReader: FilteredReader,
    private readonly pauses: ConflictPauses,
  ) {}

  /** The answer to a write whose condition failed. */
  async refusalOf(principal: Principal, id: ContextId, span: Span): Promise<ConditionFailedError> {
    const missed = await this.#find(principal, id, span);
    return new ConditionFailedError(span.expected, span.current, missed, this.pauses.next(id));
  }

  /** As much as the caller may see of it. */
  async #find(
    principal: Principal,
    id: ContextId,
    { expected, current }: Span,
  ): Promise<ConflictingEvents> {
    const count = Math.min(current - expected, maxMissed);
    if (count <= 0) return { events: [], truncated: false };
    const access = await this.audiences.open(principal);
    if ('refusal' in access) return { events: [], truncated: true };
    const all = await this.reader.events(id, expected + 1, count);
    const seen = await this.filteredReader.filterEvents(id, access.filter, all);
    const sent = seen.slice(0, withinBytes(seen, shownBytes));
    return {
      events: sent.map((event) => showEvent(event, access.filter)),
      truncated: current - expected > count || sent.length < seen.length,
    };
  }
}
