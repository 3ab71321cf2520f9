import { Inject, Injectable } from '@nestjs/common';
import { type Kysely } from 'kysely';

import { type Database } from '#database';
import { type CallOptions } from '#event-sourcing';
import { type Selection, type WalkedEvent, findStepItems } from '#read-models';
import {
  type DecodedEvent,
  type Item,
  type ItemKey,
  ContextState,
  comparedKinds,
  itemKinds,
  lifeKey,
  touchedKeys,
} from '#shared-context';
import { type VisibilityFilter, FilteredReader, isShown } from '#visibility';

import { maxPageBytes } from '../paging/page-bytes.js';
import { DATABASE } from '../tokens.js';
import { type ComparisonPosition, type Range } from './comparison-cursor.js';

/** A range and the visibility filter of its reader. */
export type FilteredRange = Readonly<{
  range: Range;
  filter: VisibilityFilter | undefined;
  options: CallOptions | undefined;
}>;

/** Items at the beginning and at the end of a range. `end`: where the page ends if it is full before its events end. */
export type ComparedItems = Readonly<{
  before: readonly Item[];
  after: readonly Item[];
  end: ComparisonPosition | undefined;
}>;

/** The nth item that the event of a version affects. */
type AffectedItem = Readonly<{ version: number; nth: number; key: ItemKey }>;

const maxAtOnce = 32;

/** Reads the items that events of a range affect, at the beginning and at the end of the range. */
@Injectable()
export class ComparedItemsReader {
  constructor(
    private readonly filteredReader: FilteredReader,
    @Inject(DATABASE) private readonly db: Kysely<Database>,
  ) {}

  /** Omits items that a later event of the range changes again: they belong to the page of that event. */
  async read(
    scope: FilteredRange,
    events: readonly WalkedEvent[],
    place: ComparisonPosition,
  ): Promise<ComparedItems> {
    const before: Item[] = [];
    const after: Item[] = [];
    let bytes = 0;
    for (const batch of inBatches(await this.#affected(scope, events, place))) {
      const pairs = await this.#pairs(scope, batch);
      for (const { affected, items } of pairs) {
        const size = sizeOf([...items.before, ...items.after]);
        if (bytes > 0 && bytes + size > maxPageBytes) {
          const { version, nth } = affected;
          return { before, after, end: { version: version - 1, nth } };
        }
        bytes += size;
        before.push(...items.before);
        after.push(...items.after);
      }
    }
    return { before, after, end: undefined };
  }

  /** Items by key, as the reader sees them at a version; none at version 0. */
  async itemsAt(
    { range, filter, options }: FilteredRange,
    version: number,
    selection: Selection,
  ): Promise<readonly Item[]> {
    if (version === 0 || ('keys' in selection && selection.keys.length === 0)) return [];
    const request = { id: range, filter, version, options };
    const { state } = await this.filteredReader.read(request, selection);
    return [...state.values()].filter((item) => !filter || isShown(filter, item));
  }

  async #pairs(scope: FilteredRange, batch: readonly AffectedItem[]) {
    const { range } = scope;
    const keys = batch.flatMap(({ key }) => withCompanions(key));
    const later = ContextState.from(await this.itemsAt(scope, range.to, withBodies(keys)));
    const own = batch.filter((affected) => belongsToPage(affected, later, range));
    const requested = own.flatMap(({ key }) => withCompanions(key));
    const earlier = ContextState.from(await this.itemsAt(scope, range.from, withBodies(requested)));
    return own.map((affected) => {
      const both = withCompanions(affected.key);
      const found = (state: ContextState) =>
        both.flatMap(({ kind, key }) => state.get(kind, key) ?? []);
      return { affected, items: { before: found(earlier), after: found(later) } };
    });
  }

  async #affected(
    scope: FilteredRange,
    events: readonly WalkedEvent[],
    place: ComparisonPosition,
  ): Promise<readonly AffectedItem[]> {
    const affected: AffectedItem[] = [];
    for (const { version, event } of events) {
      const keys = [...touchedKeys(event), ...(await this.#revealed(scope, event))];
      const compared = distinct(keys.filter(({ kind }) => comparedKinds.has(kind)));
      const first = version === place.version + 1 ? place.nth : 0;
      for (const [nth, key] of compared.entries())
        if (nth >= first) affected.push({ version, nth, key });
    }
    return affected;
  }

  /** For readers who see the items of failed steps, a failure reveals the other items of its step. */
  async #revealed({ range, filter, options }: FilteredRange, event: DecodedEvent) {
    if (!filter?.dependsOnFailures || event.type !== 'StepFailed') return [];
    const { stepId } = event.data;
    const source = { db: this.db, reader: this.filteredReader.reader };
    const found = await findStepItems(source, range, { stepId, at: range.to }, options);
    if (found) return found;
    const all = { kinds: itemKinds, bodies: 'none' } as const;
    const { state } = await this.filteredReader.reader.readAt(range, range.to, all, options);
    const isOfStep = ({ sources }: Item) => sources?.some(({ step }) => step === stepId);
    return [...state.values()].filter(isOfStep).map(({ kind, key }) => ({ kind, key }));
  }
}

/**
 * An item whose newest change in the range is by this event belongs to the page of the event. An item that no event of
 * the range changed belongs to any page.
 */
function belongsToPage({ version, key }: AffectedItem, later: ContextState, { from, to }: Range) {
  const item = later.get(key.kind, key.key);
  const isOfRange = item && item.fromVersion > from && item.fromVersion <= to;
  return !isOfRange || item.fromVersion === version;
}

/** The entry of a step includes the reason of its failure, and that of a creation whether the context is closed. */
function withCompanions(key: ItemKey): readonly ItemKey[] {
  if (key.kind === 'creation') return [key, lifeKey];
  return key.kind === 'step' ? [key, { kind: 'step-failure', key: key.key }] : [key];
}

function withBodies(keys: readonly ItemKey[]): Selection {
  return { keys, bodies: true };
}

function* inBatches(all: readonly AffectedItem[]): Generator<readonly AffectedItem[]> {
  for (let at = 0; at < all.length; at += maxAtOnce) yield all.slice(at, at + maxAtOnce);
}

/** In characters of JSON. */
export function sizeOf(items: readonly Item[]): number {
  return items.reduce(
    (sum, { state, body }) => sum + JSON.stringify([state, body ?? null]).length,
    0,
  );
}

/** Removes duplicates; the first occurrences determine the order. */
function distinct(keys: readonly ItemKey[]): readonly ItemKey[] {
  return [...new Map(keys.map(({ kind, key }) => [`${kind} ${key}`, { kind, key }])).values()];
}
