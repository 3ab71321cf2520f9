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

/** Who cites a receipt: of its own context never stale, of others as far as they are projected. */
@Injectable()
export class CitingEvents {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<Database>,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    private readonly filteredReader: FilteredReader,
  ) {}

  /** As far as the principal sees them, oldest first. */
  async list(principal: Principal, receipt: string, opened: OpenReceipt): Promise<Citations> {
    const projected = await findProjectedVersion(this.db, opened.facts);
    const link = { basedOn: receipt };
    // What is not seen counts for nothing, so how many there are to be looked at is known once they are.
    const most = opened.filter ? everyCitation : maxCitations + 1;
    const traced = await findTracedEvents(this.db, principal, link, most);
    let found: CitingEvent[] = [];
    for (const { version, ...id } of traced) {
      if (found.length > maxCitations) break;
      const stored = await this.store.readStream(contextStream(id), { from: version, limit: 1 });
      found = [...found, ...(await this.#seen(id, opened, stored.map(decodeEvent)))];
    }
    // What was projected between the two looks is found by both.
    const known = new Set(traced.map(({ eventId }) => eventId));
    const tail = await this.#behind(receipt, opened, projected);
    const events = [...found, ...tail.filter(({ eventId }) => !known.has(eventId))];
    return { events: events.slice(0, maxCitations), truncated: events.length > maxCitations };
  }

  /** What of the receipt's own context is not projected yet. */
  async #behind(
    receipt: string,
    opened: OpenReceipt,
    projected: number,
  ): Promise<readonly CitingEvent[]> {
    const citing: DecodedEvent[] = [];
    for await (const stored of this.filteredReader.reader.storedTail(opened.facts, {
      after: projected,
    }))
      if (openEnvelope(stored.metadata).basedOn === receipt) citing.push(decodeEvent(stored));
    return this.#seen(opened.facts, opened, citing);
  }

  async #seen(
    { workspace, contextId }: ContextId,
    { filter }: OpenReceipt,
    events: readonly DecodedEvent[],
  ): Promise<readonly CitingEvent[]> {
    const seen = await this.filteredReader.filterEvents({ workspace, contextId }, filter, events);
    return seen.map(({ eventId, type, version }) => ({ contextId, eventId, type, version }));
  }
}
