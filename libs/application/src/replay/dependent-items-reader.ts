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

import { GatedReader } from '../audiences/gated-reader.js';
import { BasisDecisions } from '../reading/basis-decisions.js';
import { mostPageBytes } from '../reading/page-bytes.js';
import { DATABASE } from '../tokens.js';
import {
  type ComparedItems,
  ComparedItemsReader,
  type SeenRange,
  sizeOf,
} from './compared-items.js';

type Sides = Readonly<{ before: readonly Item[]; after: readonly Item[] }>;

/** `isCut`: there are more than one page names. */
export type Dependents = Sides & Readonly<{ isCut: boolean }>;

/** Decisions that were superseded in a range, or reinstated. */
type Turned = Readonly<{ decisionIds: readonly string[]; spans: readonly EndedDecision[] }>;

const mostNamed = 2_000;
const mostAtOnce = 16;
const otherWork = workKinds.filter((kind) => kind !== 'decision');
const none: Dependents = { before: [], after: [], isCut: false };

/** What says how compared items stand beside these themselves: what they rest on, and what rests on them. */
@Injectable()
export class DependentItemsReader {
  constructor(
    private readonly items: ComparedItemsReader,
    private readonly basis: BasisDecisions,
    private readonly gated: GatedReader,
    @Inject(DATABASE) private readonly db: Kysely<Database>,
  ) {}

  /** Decisions and work that rest on a decision which is superseded at one end of the range alone. */
  async dependents(seen: SeenRange, compared: ComparedItems): Promise<Dependents> {
    const turned = turnedIn(compared);
    if (turned.decisionIds.length === 0) return none;
    const { from, to } = seen.range;
    const found = await this.#dependentKeys(seen, turned);
    const { items, isCut } = await this.#read(seen, to, found.slice(0, mostNamed));
    // What an event of the range has changed is told with that event.
    const older = items.filter(({ fromVersion }) => fromVersion <= from);
    const before = await this.#read(seen, from, older);
    return { before: before.items, after: older, isCut: isCut || found.length > mostNamed };
  }

  /** The decisions that items rest on, without what they say. */
  async decisions(seen: SeenRange, { before, after }: Sides): Promise<Sides> {
    const { range } = seen;
    const place = { ...range, version: range.to };
    const selection = await this.basis.select(place, [...before, ...after]);
    if (!selection) return { before: [], after: [] };
    return {
      before: await this.items.itemsAt(seen, range.from, selection),
      after: await this.items.itemsAt(seen, range.to, selection),
    };
  }

  async #dependentKeys({ range, options }: SeenRange, turned: Turned) {
    const source = { db: this.db, reader: this.gated.reader };
    const asked = { ...turned, at: range.to, limit: mostNamed + 1 };
    return (
      (await findDependents(source, range, asked, options)) ??
      this.#dependentsOfAll({ range, gate: undefined, options }, turned)
    );
  }

  /** In a context that stands on other versions. */
  async #dependentsOfAll(seen: SeenRange, turned: Turned): Promise<readonly ItemKey[]> {
    const { to } = seen.range;
    const all = [
      ...(await this.items.itemsAt(seen, to, { kinds: ['decision'] })),
      ...(await this.items.itemsAt(seen, to, { kinds: otherWork, bodies: 'none' })),
    ];
    return all.filter((item) => restsOn(item, turned)).map(({ kind, key }) => ({ kind, key }));
  }

  /** Decisions with what they say, as far as a page goes, and of other work who has made it and when. */
  async #read(seen: SeenRange, version: number, keys: readonly ItemKey[]) {
    const [decisions, work] = [ofKind(keys, true), ofKind(keys, false)];
    const items = [...(await this.items.itemsAt(seen, version, { keys: work, bodies: 'none' }))];
    let size = 0;
    for (let at = 0; at < decisions.length; at += mostAtOnce) {
      if (size > mostPageBytes) return { items, isCut: true };
      const named = { keys: decisions.slice(at, at + mostAtOnce), bodies: true };
      const found = await this.items.itemsAt(seen, version, named);
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

function turnedIn({ before, after }: Sides): Turned {
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

function restsOn(item: Item, { decisionIds, spans }: Turned): boolean {
  if (lostBasis(item, spans)) return true;
  return (
    item.kind === 'decision' && citedDecisions(item).some(({ key }) => decisionIds.includes(key))
  );
}
