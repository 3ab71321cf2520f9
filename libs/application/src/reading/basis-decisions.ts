import { Inject, Injectable } from '@nestjs/common';
import { type Kysely } from 'kysely';

import { type Database } from '#database';
import { type ContextId, type Selection, findChangedDecisions } from '#read-models';
import {
  type EndedDecision,
  type Item,
  type ItemLookup,
  basisIn,
  citedDecisions,
  endedDecisions,
} from '#shared-context';

import { GatedReader } from '../audiences/gated-reader.js';
import { DATABASE } from '../tokens.js';
import { type ReachableSnapshot } from './reachable-context.js';

/** The decisions that items rest on, and those among them that are not in force any more. */
export type Decisions = Readonly<{ current: ItemLookup; ended: readonly EndedDecision[] }>;

/** A context as of a version. */
type Place = ContextId & Readonly<{ version: number }>;

const none: Decisions = { current: () => undefined, ended: [] };

/** The decisions that say whether items are stale, read by name: a context may hold any number of others. */
@Injectable()
export class BasisDecisions {
  constructor(
    private readonly gated: GatedReader,
    @Inject(DATABASE) private readonly db: Kysely<Database>,
  ) {}

  /** As the reader of a snapshot sees them, at its version. */
  async find(
    { head, gate }: Pick<ReachableSnapshot, 'head' | 'gate'>,
    items: readonly Item[],
  ): Promise<Decisions> {
    const selection = await this.select(head, items);
    if (!selection) return none;
    const asked = { id: head, gate, version: head.version };
    const { state } = await this.gated.read(asked, selection);
    return { current: state.lookup, ended: endedDecisions(state.values()) };
  }

  /** Those that decisions among the items name, and those that changed behind what authors had read. */
  async select(place: Place, items: readonly Item[]): Promise<Selection | undefined> {
    const cited = items.filter(({ kind }) => kind === 'decision').flatMap(citedDecisions);
    const read = items.flatMap((item) => basisIn(item) ?? []);
    if (read.length === 0) return cited.length > 0 ? { keys: cited, bodies: 'none' } : undefined;
    const changed = await this.#changed(place, read);
    return changed
      ? { keys: [...cited, ...changed], bodies: 'none' }
      : { kinds: ['decision'], bodies: 'none' };
  }

  /** Imported work may cite versions that there never were. */
  #changed(place: Place, read: readonly number[]) {
    const versions = read.map((version) => Math.min(version, place.version));
    const [first, last] = [Math.min(...versions), Math.max(...versions)];
    const source = { db: this.db, reader: this.gated.reader };
    return findChangedDecisions(source, place, { first, last, until: place.version });
  }
}
