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

/** The maximum number of missed events in a conflict response. */
const maxMissed = 100;

type VersionRange = Readonly<{ expected: number; current: number }>;

/** Reads the events that a writer missed who decided on an older version. */
@Injectable()
export class MissedEvents {
  constructor(
    @Inject(ContextReader) private readonly reader: ContextReader,
    private readonly audiences: Audiences,
    private readonly filteredReader: FilteredReader,
    private readonly pauses: ConflictPauses,
  ) {}

  /** The error for a write whose condition failed. */
  async refusalOf(
    principal: Principal,
    id: ContextId,
    span: VersionRange,
  ): Promise<ConditionFailedError> {
    const missed = await this.#find(principal, id, span);
    return new ConditionFailedError(span.expected, span.current, missed, this.pauses.next(id));
  }

  /** The missed events that are visible to the caller. */
  async #find(
    principal: Principal,
    id: ContextId,
    { expected, current }: VersionRange,
  ): Promise<ConflictingEvents> {
    const count = Math.min(current - expected, maxMissed);
    if (count <= 0) return { events: [], truncated: false };
    const access = await this.audiences.open(principal);
    if ('refusal' in access) return { events: [], truncated: true };
    const all = await this.reader.events(id, expected + 1, count);
    const visible = await this.filteredReader.filterEvents(id, access.filter, all);
    const sent = visible.slice(0, withinBytes(visible, shownBytes));
    return {
      events: sent.map((event) => showEvent(event, access.filter)),
      truncated: current - expected > count || sent.length < visible.length,
    };
  }
}
