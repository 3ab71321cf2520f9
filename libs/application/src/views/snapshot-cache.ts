import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';

import { IncrementalViewSource } from '#context-views';
import { type EventStore } from '#event-sourcing';
import {
  type DecodedEvent,
  activityOf,
  contextStream,
  decodeEvent,
  replacesWholeState,
} from '#shared-context';
import { runInSlices } from '#slices';
import { FilteredReader } from '#visibility';

import { type AuthorizedRead } from '../reading/authorized-context-reader.js';
import { EVENT_STORE } from '../tokens.js';
import { isDerived } from '../transformations/mark-derived.js';
import { TransformationStore } from '../transformations/transformation-store.js';
import { PreviousVersion } from './previous-version.js';
import { viewSelection } from './view-request-scope.js';
import {
  type ViewSnapshot,
  contentsOf,
  showsMore,
  sourceBefore,
  viewedItems,
  weightOf,
  withEvents,
  withMarks,
} from './view-snapshot.js';

/** Limit of the cache in estimated tokens, about four characters each. */
const highestBudget = 8_000_000;
/** With this many new events or more, the context is read again from the rows. */
const longestTail = 64;

/**
 * A context and its reader; `tag` distinguishes readers with different visibility filters. Concurrent readers share a
 * read, so no single reader can cancel it.
 */
type SnapshotSite = Omit<AuthorizedRead, 'options'>;

/** `isNew`: nothing was cached, so the whole context was read. */
type CachedSnapshot = Readonly<{ snapshot: ViewSnapshot; isNew: boolean }>;

/**
 * Caches filtered snapshots; every read applies the new events of the log, so no snapshot is out of date. Does not
 * check access: callers go through `AuthorizedContextReader`.
 */
@Injectable()
export class SnapshotCache {
  readonly #snapshots = new LRUCache<string, ViewSnapshot>({
    maxSize: highestBudget,
    // A context that exceeds the limit is the only one in the cache.
    sizeCalculation: (snapshot) => Math.min(Math.ceil(weightOf(snapshot)), highestBudget),
  });
  /** The reads in progress, at most one for each context and tag. */
  readonly #reading = new Map<string, Promise<CachedSnapshot | undefined>>();

  constructor(
    private readonly filteredReader: FilteredReader,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    private readonly transformations: TransformationStore,
    private readonly previous: PreviousVersion,
  ) {}

  /** Reads the newest version and the previous one; undefined if the context does not exist. */
  async read(site: SnapshotSite): Promise<CachedSnapshot | undefined> {
    const name = nameOf(site);
    const others = this.#reading.get(name);
    // A failure of an earlier read concerns only its own readers; this reader then starts its own read. Without an
    // earlier read, nothing is awaited before the read starts, so that the next reader finds it.
    const earlier = others && (await others.catch(() => undefined));
    // A read that started before this request may lack events that it must include; one that started meanwhile lacks
    // none.
    const found = await (this.#reading.get(name) ?? this.#begin(name, site));
    return earlier?.isNew && found ? { ...found, isNew: true } : found;
  }

  #begin(name: string, site: SnapshotSite): Promise<CachedSnapshot | undefined> {
    const reading = this.#readNewest(name, site).finally(() => this.#reading.delete(name));
    this.#reading.set(name, reading);
    return reading;
  }

  async #readNewest(name: string, site: SnapshotSite): Promise<CachedSnapshot | undefined> {
    const known = this.#current(name);
    const advanced = known && (await this.#advance(known, site));
    const read = advanced ?? (await this.#load(site));
    const snapshot = read && (await this.#withBefore(await this.#mark(read, site), site));
    if (!snapshot) this.#snapshots.delete(name);
    else if (snapshot !== this.#snapshots.peek(name)) this.#snapshots.set(name, snapshot);
    return snapshot && { snapshot, isNew: !advanced };
  }

  /** Rows of earlier projection versions do not count work: a context that was loaded from them is loaded again. */
  #current(name: string): ViewSnapshot | undefined {
    const known = this.#snapshots.get(name);
    return known?.activity.counted === true ? known : undefined;
  }

  /** Marks derived values by the newest transformations. Runs no statement if nothing was derived. */
  async #mark(snapshot: ViewSnapshot, site: SnapshotSite): Promise<ViewSnapshot> {
    if (!snapshot.hasDerived) return snapshot;
    const newest = await this.transformations.at(snapshot.head.workspace);
    if (newest.versions === snapshot.transformations?.versions) return snapshot;
    return withMarks(snapshot, newest, site.filter);
  }

  /** Applies the new events; undefined if the context must be read again. */
  async #advance(known: ViewSnapshot, { filter }: SnapshotSite): Promise<ViewSnapshot | undefined> {
    const from = known.head.version + 1;
    const tail = { from, limit: longestTail };
    const stored = await this.store.readStream(contextStream(known.head), tail);
    if (stored.length === 0) return known;
    const events = stored.map(decodeEvent);
    const changesThePast = (event: DecodedEvent) =>
      replacesWholeState(event) || showsMore(filter, event);
    if (events.length === longestTail || events.some(changesThePast)) return undefined;
    return runInSlices(withEvents(known, events, filter));
  }

  async #load(site: SnapshotSite): Promise<ViewSnapshot | undefined> {
    const { id, filter } = site;
    const { head, state } = await this.filteredReader.read({ id, filter }, viewSelection);
    if (!head) return undefined;
    // Hidden events must not affect the reader's activity.
    const activity = filter
      ? activityOf([...state.values()], head.activity.counted)
      : head.activity;
    const contents = contentsOf({ head, state, activity }, filter);
    const now = await runInSlices(IncrementalViewSource.inSteps(contents));
    const hasDerived = [...state.values()].some(isDerived);
    const snapshot = { head, state, activity, now, hasDerived };
    return { ...snapshot, before: undefined, transformations: undefined };
  }

  /** Reads the previous version, unless the snapshot was advanced from it. */
  async #withBefore(snapshot: ViewSnapshot, { id, filter }: SnapshotSite): Promise<ViewSnapshot> {
    if (snapshot.before !== undefined) return snapshot;
    const { head, state, transformations } = snapshot;
    const transformationVersions = transformations?.versions;
    const earlier = await this.previous.findChanged(
      { id, version: head.version, filter, transformationVersions },
      viewedItems(state),
    );
    const before = earlier && (await runInSlices(sourceBefore(snapshot, earlier, filter))).source;
    return { ...snapshot, before: before ?? null };
  }
}

function nameOf({ id, tag }: Pick<SnapshotSite, 'id' | 'tag'>): string {
  return `${contextStream(id)} ${tag ?? ''}`;
}
