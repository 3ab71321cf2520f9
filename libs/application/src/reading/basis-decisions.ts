import { Inject, Injectable } from '@nestjs/common';
import { type Kysely } from 'kysely';

import { type StatusContext, statusAmong } from '#context-views';
import { type Database } from '#database';
import { type Selection, findChangedDecisions } from '#read-models';
import {
  type ContextId,
  type Item,
  type ItemKey,
  Staleness,
  basisIn,
  citedDecisions,
} from '#shared-context';
import { FilteredReader, isShown } from '#visibility';

import { DATABASE } from '../tokens.js';
import { type AuthorizedSnapshot } from './authorized-context-reader.js';

/** A context at a version. */
type VersionedContext = ContextId & Readonly<{ version: number }>;

type ReadItems = (selection: Selection) => Promise<readonly Item[]>;

/** After this many rounds all decisions are read. */
const maxRounds = 8;
const allDecisions: Selection = { kinds: ['decision'], bodies: true };

/**
 * Reads the decisions that determine whether items are stale, by key: a context may have any number of other decisions.
 */
@Injectable()
export class BasisDecisions {
  constructor(
    private readonly filteredReader: FilteredReader,
    @Inject(DATABASE) private readonly db: Kysely<Database>,
  ) {}

  /** Determines which of these items are stale at the version of a snapshot, as far as its reader may know. */
  async find(
    { head, filter }: Pick<AuthorizedSnapshot, 'head' | 'filter'>,
    items: readonly Item[],
  ): Promise<StatusContext> {
    const request = { id: head, filter, version: head.version };
    const found = await this.findRelated(head, items, async (selection) => [
      ...(await this.filteredReader.read(request, selection)).state.values(),
    ]);
    if (found.length === 0) return { staleness: Staleness.none };
    const names = new Set(found.filter(hasBody).map(({ key }) => key));
    const own = items.filter(({ kind, key }) => kind === 'decision' && !names.has(key));
    return statusAmong([...found, ...own], filter && ((item) => isShown(filter, item)));
  }

  /**
   * The decisions that the items cite, directly or indirectly, and the decisions that changed after the versions that
   * the authors of these items and decisions had read. The latter are read without bodies.
   */
  async findRelated(
    context: VersionedContext,
    items: readonly Item[],
    readAny: ReadItems,
  ): Promise<readonly Item[]> {
    // Folding events that the rows lack may add items of other kinds.
    const read: ReadItems = async (selection) => (await readAny(selection)).filter(isDecision);
    const found = new Map<string, Item>();
    let next = items;
    for (let round = 0; next.length > 0; round++) {
      const cited = next.filter(isDecision).flatMap(citedDecisions);
      const changed = await this.#changedAfter(context, next);
      if (!changed || round === maxRounds) return read(allDecisions);
      const unread = cited.filter(({ key }) => !hasBody(found.get(key)));
      next = await readKeys(read, unread, true);
      for (const item of next) found.set(item.key, item);
      const ended = changed.filter(({ key }) => !found.has(key));
      for (const item of await readKeys(read, ended, false)) found.set(item.key, item);
      // Work that is based on a superseded decision is stale anyway, so the other decisions it cites are not read.
      next = next.filter(({ state }) => state['status'] !== 'superseded');
    }
    return [...found.values()];
  }

  /** Undefined if the context is a fork or was restored. Imported work may cite versions that never existed. */
  async #changedAfter(
    context: VersionedContext,
    items: readonly Item[],
  ): Promise<readonly ItemKey[] | undefined> {
    const read = items.flatMap((item) => basisIn(item) ?? []);
    if (read.length === 0) return [];
    const versions = read.map((version) => Math.min(version, context.version));
    const [first, last] = [Math.min(...versions), Math.max(...versions)];
    const source = { db: this.db, reader: this.filteredReader.reader };
    return findChangedDecisions(source, context, { first, last, until: context.version });
  }
}

async function readKeys(read: ReadItems, keys: readonly ItemKey[], bodies: boolean) {
  if (keys.length === 0) return [];
  return read({ keys, bodies: bodies || 'none' });
}

function hasBody(item: Item | undefined): boolean {
  return item?.body !== undefined;
}

function isDecision({ kind }: Item): boolean {
  return kind === 'decision';
}
