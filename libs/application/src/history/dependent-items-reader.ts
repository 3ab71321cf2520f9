import { Inject, Injectable } from '@nestjs/common';
import { type Kysely } from 'kysely';

import { type Database } from '#database';
import { findDependents } from '#read-models';
import {
  type EndedDecision,
  type Item,
  type ItemKey,
  citedDecisions,
  endedDecisions,
  lostBasis,
  workKinds,
} from '#shared-context';
import { FilteredReader } from '#visibility';

import { BasisDecisions } from '../reading/basis-decisions.js';
import { maxPageBytes } from '../paging/page-bytes.js';
import { DATABASE } from '../tokens.js';
import {
  type ComparedItems,
  ComparedItemsReader,
  type FilteredRange,
  sizeOf,
} from './compared-items.js';

type ItemsAtEnds = Readonly<{ before: readonly Item[]; after: readonly Item[] }>;

/** `isCut`: there are more items than one page lists. */
type Dependents = ItemsAtEnds & Readonly<{ isCut: boolean }>;

/** Decisions that were superseded in a range, or reinstated. */
type ChangedDecisions = Readonly<{
  decisionIds: readonly string[];
  spans: readonly EndedDecision[];
}>;

const maxNamed = 2_000;
const maxAtOnce = 16;
const maxRounds = 8;
const otherWork = workKinds.filter((kind) => kind !== 'decision');
const none: Dependents = { before: [], after: [], isCut: false };

/**
 * Reads the items on which the status of compared items depends, and the items whose status depends on compared items.
 */
@Injectable()
export class DependentItemsReader {
  constructor(
    private readonly items: ComparedItemsReader,
    private readonly basis: BasisDecisions,
    private readonly filteredReader: FilteredReader,
    @Inject(DATABASE) private readonly db: Kysely<Database>,
  ) {}

  /** Decisions and work that depend on a decision which is superseded at only one end of the range. */
  async dependents(scope: FilteredRange, compared: ComparedItems): Promise<Dependents> {
    const changed = changedDecisionsIn(compared);
    if (changed.decisionIds.length === 0) return none;
    const { from, to } = scope.range;
    const found = await this.#dependentKeys(scope, changed);
    const { items, isCut } = await this.#read(scope, to, found.slice(0, maxNamed));
    // Items that an event of the range has changed are listed with that event.
    const older = items.filter(({ fromVersion }) => fromVersion <= from);
    const before = await this.#read(scope, from, older);
    return { before: before.items, after: older, isCut: isCut || found.length > maxNamed };
  }

  /** The decisions on which items depend, at each end of the range. */
  async decisions(scope: FilteredRange, { before, after }: ItemsAtEnds): Promise<ItemsAtEnds> {
    const { range } = scope;
    const place = { ...range, version: range.to };
    const around = (items: readonly Item[], version: number) =>
      this.basis.findRelated(place, items, (selection) =>
        this.items.itemsAt(scope, version, selection),
      );
    return { before: await around(before, range.from), after: await around(after, range.to) };
  }

  /** Items that depend on the changed decisions, directly or through other decisions. */
  async #dependentKeys({ range, options }: FilteredRange, changed: ChangedDecisions) {
    const source = { db: this.db, reader: this.filteredReader.reader };
    const found = new Map<string, ItemKey>();
    let next = changed;
    for (let round = 0; next.decisionIds.length > 0 && found.size <= maxNamed; round++) {
      const query = { ...next, at: range.to, limit: maxNamed + 1 };
      const keys =
        round < maxRounds ? await findDependents(source, range, query, options) : undefined;
      if (!keys) return this.#dependentsOfAll({ range, filter: undefined, options }, changed);
      const unknown = keys.filter((key) => !found.has(nameOf(key)));
      for (const key of unknown) found.set(nameOf(key), key);
      const decisions = unknown.filter(({ kind }) => kind === 'decision');
      next = { decisionIds: decisions.map(({ key }) => key), spans: [] };
    }
    return [...found.values()];
  }

  /** Finds the dependents among all items: for forks, restored contexts and long chains of decisions. */
  async #dependentsOfAll(
    scope: FilteredRange,
    changed: ChangedDecisions,
  ): Promise<readonly ItemKey[]> {
    const { to } = scope.range;
    const decisions = await this.items.itemsAt(scope, to, { kinds: ['decision'] });
    const work = await this.items.itemsAt(scope, to, { kinds: otherWork, bodies: 'none' });
    const found = new Set([...decisions, ...work].filter((item) => lostBasis(item, changed.spans)));
    const citing = citingBy(decisions);
    const ids = [...changed.decisionIds, ...Array.from(found).filter(isDecision).map(keyOf)];
    for (const id of ids)
      for (const item of citing.get(id) ?? []) {
        if (found.has(item)) continue;
        found.add(item);
        ids.push(item.key);
      }
    return Array.from(found, ({ kind, key }) => ({ kind, key }));
  }

  /** Reads decisions with bodies, up to the size of a page, and other work without bodies. */
  async #read(scope: FilteredRange, version: number, keys: readonly ItemKey[]) {
    const [decisions, work] = [ofKind(keys, true), ofKind(keys, false)];
    const names = new Set(keys.map(nameOf));
    // Folding events that the rows lack may add items of other kinds.
    const isSelected = (item: Item) => names.has(nameOf(item));
    const other = await this.items.itemsAt(scope, version, { keys: work, bodies: 'none' });
    const items = other.filter(isSelected);
    let size = 0;
    for (let at = 0; at < decisions.length; at += maxAtOnce) {
      if (size > maxPageBytes) return { items, isCut: true };
      const named = { keys: decisions.slice(at, at + maxAtOnce), bodies: true };
      const found = (await this.items.itemsAt(scope, version, named)).filter(isSelected);
      size += sizeOf(found);
      items.push(...found);
    }
    return { items, isCut: false };
  }
}

function ofKind(keys: readonly ItemKey[], isDecision: boolean): readonly ItemKey[] {
  return keys
    .filter(({ kind }) => (kind === 'decision') === isDecision)
    .map(({ kind, key }) => ({ kind, key }));
}

function changedDecisionsIn({ before, after }: ItemsAtEnds): ChangedDecisions {
  const [was, is] = [endedDecisions(before), endedDecisions(after)];
  const [ids, laterIds] = [namesIn(was), namesIn(is)];
  const spans = [...was, ...is].filter(
    ({ decisionId }) => ids.has(decisionId) !== laterIds.has(decisionId),
  );
  return { decisionIds: spans.map(({ decisionId }) => decisionId), spans };
}

function namesIn(ended: readonly EndedDecision[]): ReadonlySet<string> {
  return new Set(ended.map(({ decisionId }) => decisionId));
}

function citingBy(decisions: readonly Item[]): ReadonlyMap<string, readonly Item[]> {
  const links = decisions.flatMap((item) => citedDecisions(item).map(({ key }) => ({ key, item })));
  const byCited = Map.groupBy(links, ({ key }) => key);
  return new Map([...byCited].map(([key, found]) => [key, found.map(({ item }) => item)]));
}

function isDecision({ kind }: ItemKey): boolean {
  return kind === 'decision';
}

function keyOf({ key }: ItemKey): string {
  return key;
}

/** Unique, because no kind contains a space. */
function nameOf({ kind, key }: ItemKey): string {
  return `${kind} ${key}`;
}
