import {
  type ContextId,
  type DecodedEvent,
  type Item,
  type ItemChange,
  type ItemKey,
  type ItemLookup,
  Pace,
  changedItem,
  isContent,
  sourceOf,
} from '#shared-context';
import { type Position } from '#event-sourcing';
import { type Steps } from '#slices';

import { type ItemText, bytesOfRow, encodeItem, removedState } from './item-text.js';
import { referredPosition } from './referenced-body.js';

/** `position`: of the event that may hold the payload of the row, see {@link referredPosition}. */
type ItemEncoding = Readonly<{ text: ItemText; position: Position | null }>;

/**
 * One item in one version span; `toVersion` is null while it is current, `state` is null if the row marks the item as
 * removed.
 */
export type ItemRow = ContextId &
  Omit<Item, 'state'> &
  ItemEncoding &
  Readonly<{ state: Item['state'] | null; toVersion: number | null }>;

type EncodedItem = Item & ItemEncoding;

const removed = { state: null, body: undefined, position: null, toVersion: null };
const removedText = { state: removedState, body: null, sources: null };

/** Collects the spans while events are folded: stored rows that ended, and new rows. */
export class ItemSpans {
  readonly ended: (ContextId & ItemKey & { fromVersion: number; toVersion: number })[] = [];
  readonly #past: ItemRow[] = [];
  /**
   * Rows that mark an item of an older layer as removed. They never end: a newer row of their layer takes precedence.
   */
  readonly #removals: ItemRow[] = [];
  readonly #current = new Map<string, EncodedItem | undefined>();
  readonly #fresh = new Set<string>();
  #bytes = 0;

  constructor(
    private readonly id: ContextId,
    private readonly stored: Readonly<{ find(key: ItemKey): Item | undefined }>,
    /** The version at which the newest layer begins; 0 if there is only one layer. */
    private readonly lineage: number,
  ) {}

  readonly lookup: ItemLookup = (kind, key) => this.#find({ kind, key });

  /** Approximate bytes of the rows that end or are new. */
  get bytes(): number {
    return this.#bytes;
  }

  /** `changes`: the changes that the event makes. */
  *apply(event: DecodedEvent, changes: readonly ItemChange[]): Steps<void> {
    const source = sourceOf(event);
    const pace = new Pace();
    for (const change of changes) {
      if (pace.isStep()) yield;
      const before = this.#find(change);
      this.#end(change, event.version);
      if ('removed' in change) this.#remove(change, event.version);
      else this.#put(changedItem(before, change, { event, source }), event.position);
    }
  }

  added(): ItemRow[] {
    const current = [...this.#fresh].flatMap((text) => {
      const item = this.#current.get(text);
      return item ? [{ ...this.id, ...item, toVersion: null }] : [];
    });
    return [...this.#past, ...this.#removals, ...current];
  }

  #put(item: Item, eventPosition: Position): void {
    const text = encodeItem(item);
    const position = referredPosition(eventPosition, text.body);
    this.#bytes += bytesOfRow(item.key, text);
    this.#current.set(keyText(item), { ...item, text, position });
    this.#fresh.add(keyText(item));
  }

  #remove({ kind, key }: ItemKey, fromVersion: number): void {
    const text = keyText({ kind, key });
    if (this.lineage > 0 && isContent({ kind })) {
      this.#bytes += bytesOfRow(key, removedText);
      this.#removals.push({
        ...this.id,
        kind,
        key,
        fromVersion,
        ...removed,
        text: removedText,
      });
    }
    this.#current.set(text, undefined);
  }

  /** Rows of older layers are not ended: they stay current in their layer. */
  #isOwn({ kind, fromVersion }: Item): boolean {
    return fromVersion >= (isContent({ kind }) ? this.lineage : 1);
  }

  #find(key: ItemKey): Item | undefined {
    const text = keyText(key);
    return this.#current.has(text) ? this.#current.get(text) : this.stored.find(key);
  }

  #end(key: ItemKey, toVersion: number): void {
    const text = keyText(key);
    const fresh = this.#fresh.delete(text) ? this.#current.get(text) : undefined;
    // An item that one version changes twice gets one row with the last value: the span of the first would be empty.
    if (fresh && fresh.fromVersion === toVersion) return;
    if (fresh) this.#past.push({ ...this.id, ...fresh, toVersion });
    else this.#endStored(key, toVersion);
  }

  #endStored({ kind, key }: ItemKey, toVersion: number): void {
    const before = this.#find({ kind, key });
    if (!before || !this.#isOwn(before)) return;
    this.#bytes += bytesOfRow(key);
    this.ended.push({ ...this.id, kind, key, fromVersion: before.fromVersion, toVersion });
  }
}

function keyText({ kind, key }: ItemKey): string {
  return `${kind} ${key}`;
}
