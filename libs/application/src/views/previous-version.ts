import { Inject, Injectable } from '@nestjs/common';

import { viewKinds } from '#context-views';
import { type EventStore } from '#event-sourcing';
import {
  type ContextId,
  type DecodedEvent,
  type Item,
  type ItemKey,
  contextStream,
  decodeEvent,
  replacesWholeState,
  touchedKeys,
} from '#shared-context';
import { type VisibilityFilter, FilteredReader, failuresIn } from '#visibility';

import { EVENT_STORE } from '../tokens.js';
import { DerivedMarks } from '../transformations/derived-marks.js';
import { type ViewVersion, viewSelection } from './view-request-scope.js';

/**
 * All items of an earlier version, or only the items that differ from the current ones; `changedItems` lacks items added
 * since.
 */
export type EarlierItems =
  | Readonly<{ all: readonly Item[] }>
  | Readonly<{ changedKeys: readonly ItemKey[]; changedItems: readonly Item[] }>;

const nothingChanged: EarlierItems = { changedKeys: [], changedItems: [] };

/**
 * Computes the items of the previous version from the current ones: reads only the items that the newest event touched.
 */
@Injectable()
export class PreviousVersion {
  constructor(
    private readonly filteredReader: FilteredReader,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    private readonly marks: DerivedMarks,
  ) {}

  /**
   * Undefined if there is no previous version, or if it can no longer be determined. `items`: those of
   * {@link viewKinds} at the version of the site.
   */
  async find(site: ViewVersion, items: readonly Item[]): Promise<readonly Item[] | undefined> {
    const earlier = await this.findChanged(site, items);
    if (!earlier || 'all' in earlier) return earlier?.all;
    return withItems(items, earlier.changedKeys, earlier.changedItems);
  }

  /** As {@link find}, but returns only the items that differ, unless the event may have changed any number of items. */
  async findChanged(site: ViewVersion, items: readonly Item[]): Promise<EarlierItems | undefined> {
    const { id, version, filter } = site;
    const event = version > 1 ? await this.#eventAt(id, version) : undefined;
    if (!event) return undefined;
    // A hidden event must not change anything in a view.
    if (filter && !filter.filterEvent(event, failuresIn(filter, items))) return nothingChanged;
    if (hidesEarlierContent(filter, event)) return undefined;
    const before = await this.#undone({ id, version: version - 1, filter }, event);
    // With the same marks, only items that the event touched differ.
    return 'all' in before
      ? { all: await this.marks.markAsOf(site, before.all) }
      : { ...before, changedItems: await this.marks.markAsOf(site, before.changedItems) };
  }

  /** `before`: the context at the version before the event. */
  async #undone(
    before: Pick<ViewVersion, 'id' | 'version' | 'filter'>,
    event: DecodedEvent,
  ): Promise<EarlierItems> {
    if (replacesWholeState(event) || before.filter?.dependsOnFailures) {
      const { state } = await this.filteredReader.read(before, viewSelection);
      return { all: [...state.values()] };
    }
    const keys = touchedKeys(event).filter(({ kind }) => viewKinds.includes(kind));
    if (keys.length === 0) return nothingChanged;
    const { state } = await this.filteredReader.read(before, { keys, bodies: 'packed' });
    return { changedKeys: keys, changedItems: [...state.values()] };
  }

  async #eventAt(id: ContextId, version: number): Promise<DecodedEvent | undefined> {
    const [stored] = await this.store.readStream(contextStream(id), { from: version, limit: 1 });
    return stored && decodeEvent(stored);
  }
}

/**
 * Whether a visible event hides earlier content: a policy of live decisions hides others at every version, so the
 * previous view cannot be reconstructed.
 */
export function hidesEarlierContent(
  filter: VisibilityFilter | undefined,
  event: DecodedEvent,
): boolean {
  return (
    filter?.liveDecisionsOnly === true && touchedKeys(event).some(({ kind }) => kind === 'decision')
  );
}

/** Replaces the items with these keys by their earlier versions. */
function withItems(
  items: readonly Item[],
  keys: readonly ItemKey[],
  before: readonly Item[],
): readonly Item[] {
  const touched = new Set(keys.map(nameOf));
  const isTouched = (item: ItemKey) => touched.has(nameOf(item));
  return [...items.filter((item) => !isTouched(item)), ...before.filter(isTouched)];
}

function nameOf({ kind, key }: ItemKey): string {
  return `${kind} ${key}`;
}
