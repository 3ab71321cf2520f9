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

/** A range as its reader sees it. */
export type SeenRange = Readonly<{
  range: Range;
  filter: VisibilityFilter | undefined;
  options: CallOptions | undefined;
}>;

/** Items at the beginning and at the end of a range; `end` is where a page that is full ends before its events do. */
export type ComparedItems = Readonly<{
  before: readonly Item[];
  after: readonly Item[];
  end: ComparisonPosition | undefined;
}>;

/** The nth item that the event of a version concerns. */
type AffectedItem = Readonly<{ version: number; nth: number; key: ItemKey }>;

const maxAtOnce = 32;

/** Reads the items that events of a range concern, before and after the range. */
@Injectable()
export class ComparedItemsReader {
  constructor(
    private readonly filteredReader: FilteredReader,
    @Inject(DATABASE) private readonly db: Kysely<Database>,
  ) {}

  /** Without those that a later event of the range has changed again: they are of the page of that one. */
  async read(
    seen: SeenRange,
    events: readonly WalkedEvent[],
    place: ComparisonPosition,
  ): Promise<ComparedItems> {
    const before: Item[] = [];
    const after: Item[] = [];
    let bytes = 0;
    for (const batch of inBatches(await this.#concerned(seen, events, place))) {
      const pairs = await this.#pairs(seen, batch);
      for (const { concerned, items } of pairs) {
        const size = sizeOf([...items.before, ...items.after]);
        if (bytes > 0 && bytes + size > maxPageBytes) {
          const { version, nth } = concerned;
          return { before, after, end: { version: version - 1, nth } };
        }
        bytes += size;
        before.push(...items.before);
        after.push(...items.after);
      }
    }
    return { before, after, end: undefined };
  }

  /** Items by name, as the reader sees them at a version; none before the first. */
  async itemsAt(
    { range, filter, options }: SeenRange,
    version: number,
    selection: Selection,
  ): Promise<readonly Item[]> {
    if (version === 0 || ('keys' in selection && selection.keys.length === 0)) return [];
    const asked = { id: range, filter, version, options };
    const { state } = await this.filteredReader.read(asked, selection);
    return [...state.values()].filter((item) => !filter || isShown(filter, item));
  }

  async #pairs(seen: SeenRange, batch: readonly AffectedItem[]) {
    const { range } = seen;
    const keys = batch.flatMap(({ key }) => withCompanions(key));
    const later = ContextState.from(await this.itemsAt(seen, range.to, named(keys)));
    const own = batch.filter((concerned) => isOfItsPage(concerned, later, range));
    const wanted = own.flatMap(({ key }) => withCompanions(key));
    const earlier = ContextState.from(await this.itemsAt(seen, range.from, named(wanted)));
    return own.map((concerned) => {
      const both = withCompanions(concerned.key);
      const found = (state: ContextState) =>
        both.flatMap(({ kind, key }) => state.get(kind, key) ?? []);
      return { concerned, items: { before: found(earlier), after: found(later) } };
    });
  }

  async #concerned(
    seen: SeenRange,
    events: readonly WalkedEvent[],
    place: ComparisonPosition,
  ): Promise<readonly AffectedItem[]> {
    const concerned: AffectedItem[] = [];
    for (const { version, event } of events) {
      const keys = [...touchedKeys(event), ...(await this.#revealed(seen, event))];
      const compared = distinct(keys.filter(({ kind }) => comparedKinds.has(kind)));
      const first = version === place.version + 1 ? place.nth : 0;
      for (const [nth, key] of compared.entries())
        if (nth >= first) concerned.push({ version, nth, key });
    }
    return concerned;
  }

  /** To who sees what has failed, a failure shows what else there is of its step. */
  async #revealed({ range, filter, options }: SeenRange, event: DecodedEvent) {
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

/** What stands as an event of the range made it, is of the page of that event; what does not, is of any. */
function isOfItsPage({ version, key }: AffectedItem, later: ContextState, { from, to }: Range) {
  const item = later.get(key.kind, key.key);
  const isOfRange = item && item.fromVersion > from && item.fromVersion <= to;
  return !isOfRange || item.fromVersion === version;
}

/** What is said of a step says why it failed, and of a creation whether the context is closed. */
function withCompanions(key: ItemKey): readonly ItemKey[] {
  if (key.kind === 'creation') return [key, lifeKey];
  return key.kind === 'step' ? [key, { kind: 'step-failure', key: key.key }] : [key];
}

function named(keys: readonly ItemKey[]): Selection {
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

/** Each once, in the order in which they are named first. */
function distinct(keys: readonly ItemKey[]): readonly ItemKey[] {
  return [...new Map(keys.map(({ kind, key }) => [`${kind} ${key}`, { kind, key }])).values()];
}
