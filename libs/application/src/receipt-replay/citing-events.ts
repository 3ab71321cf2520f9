import { Inject, Injectable } from '@nestjs/common';
import { type Kysely } from 'kysely';

import { type Database } from '#database';
import { type EventStore, openEnvelope } from '#event-sourcing';
import { findProjectedVersion, findTracedEvents } from '#read-models';
import { type ContextId, type DecodedEvent, contextStream, decodeEvent } from '#shared-context';
import { FilteredReader } from '#visibility';

import { type Principal } from '../access/principal.js';
import { DATABASE, EVENT_STORE } from '../tokens.js';
import { type OpenReceipt } from './receipt-access.js';
import { type CitingEvent } from './receipt.messages.js';

const maxCitations = 100;
const everyCitation = 2 ** 31 - 1;

type Citations = Readonly<{ events: readonly CitingEvent[]; truncated: boolean }>;

/** Finds the events that cite a receipt: in its own context without lag, in others as far as they are projected. */
@Injectable()
export class CitingEvents {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<Database>,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    private readonly filteredReader: FilteredReader,
  ) {}

  /** The events that are visible to the principal, oldest first. */
  async list(principal: Principal, receipt: string, opened: OpenReceipt): Promise<Citations> {
    const projected = await findProjectedVersion(this.db, opened.facts);
    const link = { basedOn: receipt };
    // The number of events to examine is unknown if some may be hidden.
    const limit = opened.filter ? everyCitation : maxCitations + 1;
    const traced = await findTracedEvents(this.db, principal, link, limit);
    let found: CitingEvent[] = [];
    for (const { version, ...id } of traced) {
      if (found.length > maxCitations) break;
      const stored = await this.store.readStream(contextStream(id), { from: version, limit: 1 });
      found = [...found, ...(await this.#visible(id, opened, stored.map(decodeEvent)))];
    }
    // Events that were projected between the two reads are found by both.
    const known = new Set(traced.map(({ eventId }) => eventId));
    const tail = await this.#unprojected(receipt, opened, projected);
    const events = [...found, ...tail.filter(({ eventId }) => !known.has(eventId))];
    return { events: events.slice(0, maxCitations), truncated: events.length > maxCitations };
  }

  /** The citing events in the context of the receipt that are not projected yet. */
  async #unprojected(
    receipt: string,
    opened: OpenReceipt,
    projected: number,
  ): Promise<readonly CitingEvent[]> {
    const citing: DecodedEvent[] = [];
    for await (const stored of this.filteredReader.reader.storedTail(opened.facts, {
      after: projected,
    }))
      if (openEnvelope(stored.metadata).basedOn === receipt) citing.push(decodeEvent(stored));
    return this.#visible(opened.facts, opened, citing);
  }

  async #visible(
    { workspace, contextId }: ContextId,
    { filter }: OpenReceipt,
    events: readonly DecodedEvent[],
  ): Promise<readonly CitingEvent[]> {
    const visible = await this.filteredReader.filterEvents(
      { workspace, contextId },
      filter,
      events,
    );
    return visible.map(({ eventId, type, version }) => ({ contextId, eventId, type, version }));
  }
}
