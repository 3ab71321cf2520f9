import { Inject, Injectable } from '@nestjs/common';
import { type Kysely } from 'kysely';

import { type Database } from '#database';
import { type CallOptions } from '#event-sourcing';
import { type WalkedEvent, findLowestBase, walkVersions } from '#read-models';
import { type VisibilityFilter, FilteredReader } from '#visibility';

import { readEventsPage } from '../reading/events-page.js';
import { GrowingPage } from '../paging/page-bytes.js';
import { DATABASE } from '../tokens.js';
import { type ComparisonPosition, type Range } from './comparison-cursor.js';

export type ComparedPart = Readonly<{
  range: Range;
  place: ComparisonPosition;
  limit: number;
  filter: VisibilityFilter | undefined;
}>;

/** `next`: the version after which the next page begins; undefined at the end. */
type PartEvents = Readonly<{
  events: readonly WalkedEvent[];
  next: number | undefined;
}>;

/** Reads the events that may cause differences between the two ends of a range, a page at a time. */
@Injectable()
export class RangeEvents {
  constructor(
    private readonly filteredReader: FilteredReader,
    @Inject(DATABASE) private readonly db: Kysely<Database>,
  ) {}

  /** The visible events of the range, then the events before the range that a restore or a fork in it undoes. */
  async read(part: ComparedPart, options?: CallOptions): Promise<PartEvents> {
    const { range, place, limit } = part;
    if (place.version < range.from) return this.#undone(part, place.version, options);
    const { events, next } = await this.#within(part, options);
    if (next !== undefined) return { events, next };
    const source = { db: this.db, reader: this.filteredReader.reader };
    const lowest = await findLowestBase(source, range, range, options);
    if (lowest === range.from) return { events, next: undefined };
    if (events.length >= limit) return { events, next: lowest };
    const rest = { range, limit: limit - events.length };
    const undone = await this.#undone(rest, lowest, options);
    return { events: [...events, ...undone.events], next: undone.next };
  }

  async #within({ range, place, limit, filter }: ComparedPart, options?: CallOptions) {
    const page = { after: place.version, until: range.to, limit };
    const { events, next } = await readEventsPage(
      this.filteredReader,
      { id: range, filter },
      page,
      options,
    );
    return { events: events.map((event) => ({ version: event.version, event })), next };
  }

  async #undone(
    { range, limit }: Pick<ComparedPart, 'range' | 'limit'>,
    after: number,
    options?: CallOptions,
  ): Promise<PartEvents> {
    const page = new GrowingPage<WalkedEvent>(limit);
    const versions = { from: after + 1, to: range.from };
    for await (const walked of walkVersions(this.filteredReader.reader, range, versions, options))
      if (!page.takes(walked, walked.event.bytes))
        return { events: page.items, next: walked.version - 1 };
    return { events: page.items, next: undefined };
  }
}
