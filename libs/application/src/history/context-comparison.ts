import { Injectable } from '@nestjs/common';

import { type CallOptions } from '#event-sourcing';
import { type WalkedEvent } from '#read-models';
import {
  type Activity,
  type DecodedEvent,
  type Item,
  type ItemKey,
  ContextState,
  compareContexts,
  noActivity,
} from '#shared-context';

import { ActivityReader } from '../reading/activity-reader.js';
import { readable } from '../reading/authorized-context-reader.js';
import { type ComparedItems, ComparedItemsReader, type FilteredRange } from './compared-items.js';
import { type ComparisonPosition } from './comparison-cursor.js';
import { DependentItemsReader } from './dependent-items-reader.js';
import { type ComparedPart, RangeEvents } from './range-events.js';
import { type PageDifference } from './history.queries.js';

/** `events` are the visible events of the range itself; `next` is the position of the next page. */
type ComparisonPage = Readonly<{
  difference: PageDifference;
  events: readonly DecodedEvent[];
  next: ComparisonPosition | undefined;
}>;

const unchanged: readonly [Activity, Activity] = [noActivity, noActivity];

/** Compares two versions of a context, a page at a time. The cost of a page is in proportion to its result. */
@Injectable()
export class ContextComparison {
  constructor(
    private readonly events: RangeEvents,
    private readonly items: ComparedItemsReader,
    private readonly related: DependentItemsReader,
    private readonly activity: ActivityReader,
  ) {}

  /** With a visibility filter, only the items that it shows at either version are compared. */
  page(part: ComparedPart, options?: CallOptions): Promise<ComparisonPage> {
    return readable(async () => {
      const { range, filter, place } = part;
      const scope = { range, filter, options };
      const { events, next } = await this.events.read(part, options);
      const compared = await this.items.read(scope, events, place);
      const difference = await this.#difference(scope, compared, isFirst(part));
      return {
        difference,
        events: eventsOnPage(part, compared, events),
        next: compared.end ?? (next === undefined ? undefined : { version: next, nth: 0 }),
      };
    });
  }

  async #difference(
    scope: FilteredRange,
    compared: ComparedItems,
    isFirstPage: boolean,
  ): Promise<PageDifference> {
    const dependents = await this.related.dependents(scope, compared);
    const before = [...dependents.before, ...compared.before];
    const after = [...dependents.after, ...compared.after];
    const decisions = await this.related.decisions(scope, { before, after });
    const names = new Set([...before, ...after].map(nameOf));
    const difference = compareContexts(
      distinct([...decisions.before, ...before]),
      distinct([...decisions.after, ...after]),
      {
        activities: isFirstPage ? await this.#activities(scope) : unchanged,
        isSubject: (item) => names.has(nameOf(item)),
      },
    );
    return dependents.isCut ? { ...difference, staleTruncated: true } : difference;
  }

  async #activities({ range, filter, options }: FilteredRange) {
    const at = (version: number) => this.activity.find({ id: range, filter, version, options });
    return [await at(range.from), await at(range.to)] as const;
  }
}

/** The events of the range whose first item is compared on this page. */
function eventsOnPage(
  { range, place }: ComparedPart,
  { end }: ComparedItems,
  events: readonly WalkedEvent[],
): readonly DecodedEvent[] {
  const isCut = end !== undefined && end.version >= range.from;
  const last = isCut ? end.version + Math.min(end.nth, 1) : range.to;
  const first = place.version + 1 + Math.min(place.nth, 1);
  return events
    .filter(({ version }) => version > range.from && first <= version && version <= last)
    .map(({ event }) => event);
}

function isFirst({ range, place }: ComparedPart): boolean {
  return place.version === range.from && place.nth === 0;
}

/** Removes duplicates; the last occurrence of an item wins. */
function distinct(items: readonly Item[]): Iterable<Item> {
  return ContextState.from(items).values();
}

/** Unique, because no kind contains a space. */
function nameOf({ kind, key }: ItemKey): string {
  return `${kind} ${key}`;
}
