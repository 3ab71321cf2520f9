import { Injectable } from '@nestjs/common';

import { type VersionGroup } from '#context-views';
import { type WalkedEvent, walkVersions } from '#read-models';
import { type DecodedEvent, type Item, type ItemKey, touchedKeys } from '#shared-context';
import { isShown } from '#visibility';

import { BasisDecisions } from '../reading/basis-decisions.js';
import { decodeCursor, encodeCursor, foreignCursor } from '../paging/cursor.js';
import { GrowingPage } from '../paging/page-bytes.js';
import {
  AuthorizedContextReader,
  type AuthorizedSnapshot,
  readable,
} from '../reading/authorized-context-reader.js';
import { DerivedMarks } from '../transformations/derived-marks.js';
import { type ExpandRequest } from './view.messages.js';
import { type ItemDetails, textOfItem, wholeItem, wholeItemKinds } from './whole-item.js';

/** A page of the items of a roll-up. */
type RollupPage = Readonly<{
  snapshot: AuthorizedSnapshot;
  items: readonly ItemDetails[];
  nextCursor: string | null;
}>;

type ItemResult = Readonly<{ snapshot: AuthorizedSnapshot; item: Item; text: string }>;

/** The nth item that the event of a version affects. */
type ItemPosition = Readonly<{ version: number; nth: number }>;

type AffectedItem = ItemPosition & Readonly<{ key: ItemKey }>;

/** Consecutive events, the items that they affect, and the position after them. */
type Batch = Readonly<{
  affected: readonly AffectedItem[];
  events: number;
  bytes: number;
  next: ItemPosition;
}>;

const maxItemsAtOnce = 64;
const maxEventsAtOnce = 128;
const maxBytesAtOnce = 1_048_576;
/** One request examines at most this many events, or this many bytes of events; its cursor continues after them. */
const maxEvents = 2_000;
const maxBytes = 16 * 1_048_576;

/** Reads the full text of items as in views, by their keys, without reading other items. */
@Injectable()
export class ItemDetailsReader {
  constructor(
    private readonly contexts: AuthorizedContextReader,
    private readonly decisions: BasisDecisions,
    private readonly marks: DerivedMarks,
  ) {}

  /** Undefined if the item is missing or hidden from the reader. */
  async find(request: ExpandRequest, { kind, key }: ItemKey): Promise<ItemResult | undefined> {
    const named = { keys: [{ kind, key }], bodies: true };
    const snapshot = await this.contexts.read(request, named);
    const item = snapshot.state.get(kind, key);
    if (!item || (snapshot.filter && !isShown(snapshot.filter, item))) return undefined;
    const [marked = item] = (await this.marks.mark(snapshot.head.workspace, [item])).items;
    const text = textOfItem(marked, await this.decisions.find(snapshot, [item]));
    return { snapshot, item, text };
  }

  /** Reads a page of the items that a range of versions has changed last. */
  async page(request: ExpandRequest, versions: VersionGroup): Promise<RollupPage> {
    const snapshot = await this.contexts.read(request, { keys: [], bodies: false });
    return readable(async () => {
      const page = new GrowingPage<ItemDetails>(request.limit);
      let [events, bytes] = [0, 0];
      for await (const batch of this.#batches(request, snapshot, versions)) {
        for (const { item, place } of await this.#read(snapshot, batch.affected))
          if (!page.takes(item, Buffer.byteLength(item.text)))
            return { snapshot, items: page.items, nextCursor: encodePlace(place) };
        events += batch.events;
        bytes += batch.bytes;
        if (events > maxEvents || bytes > maxBytes)
          return { snapshot, items: page.items, nextCursor: encodePlace(batch.next) };
      }
      return { snapshot, items: page.items, nextCursor: null };
    });
  }

  async *#batches(
    { cursor, signal }: ExpandRequest,
    { head }: AuthorizedSnapshot,
    { from, to }: VersionGroup,
  ): AsyncGenerator<Batch> {
    // Inherited items belong to version 1.
    const first = { version: from === 1 ? -Infinity : from, nth: 0 };
    const start = cursor === undefined ? first : decodePlace(cursor);
    if (start.version < first.version) throw foreignCursor();
    const range = { from: start.version, to: Math.min(to, head.version) };
    const batch = new GrowingBatch();
    const walk = walkVersions(this.contexts.reader, head, range, signal && { signal });
    for await (const walked of walk) {
      const skipped = walked.version === start.version ? start.nth : 0;
      yield* batch.add(walked, skipped);
    }
    yield batch.take();
  }

  /** Reads the affected items whose newest change is the affecting event. */
  async #read(snapshot: AuthorizedSnapshot, affected: readonly AffectedItem[]) {
    if (affected.length === 0) return [];
    const { head, filter } = snapshot;
    const keys = affected.map(({ key }) => key);
    const state = await this.contexts.readMore(snapshot, { keys, bodies: true });
    const found = affected.flatMap((place) => {
      const item = state.get(place.key.kind, place.key.key);
      return item && (!filter || isShown(filter, item)) ? [{ item, place }] : [];
    });
    const decisions = await this.decisions.find(snapshot, found.map(itemOf));
    const { items } = await this.marks.mark(head.workspace, found.map(itemOf));
    return found.flatMap(({ item, place }, at) => {
      const details = wholeItem(items[at] ?? item, decisions);
      return details?.version === place.version ? [{ item: details, place }] : [];
    });
  }
}

/** Collects affected items until they are worth a read. */
class GrowingBatch {
  #affected: AffectedItem[] = [];
  #events = 0;
  #bytes = 0;
  #next: ItemPosition = { version: 0, nth: 0 };

  /** One event may affect thousands of items. */
  *add({ version, event }: WalkedEvent, skipped: number): Generator<Batch> {
    this.#events++;
    this.#bytes += event.bytes;
    for (const [nth, key] of listedKeys(event).entries()) {
      if (nth < skipped) continue;
      this.#affected.push({ version, nth, key });
      this.#next = { version, nth: nth + 1 };
      if (this.#affected.length >= maxItemsAtOnce) yield this.take();
    }
    this.#next = { version: version + 1, nth: 0 };
    if (this.#events >= maxEventsAtOnce || this.#bytes >= maxBytesAtOnce) yield this.take();
  }

  take(): Batch {
    const batch = {
      affected: this.#affected,
      next: this.#next,
      events: this.#events,
      bytes: this.#bytes,
    };
    this.#affected = [];
    this.#events = 0;
    this.#bytes = 0;
    return batch;
  }
}

/** Unique keys, always in the same order. */
function listedKeys(event: DecodedEvent): readonly ItemKey[] {
  const keys = touchedKeys(event).filter(({ kind }) => wholeItemKinds.has(kind));
  return [...new Map(keys.map(({ kind, key }) => [`${kind} ${key}`, { kind, key }])).values()];
}

function itemOf({ item }: Readonly<{ item: Item }>): Item {
  return item;
}

function encodePlace({ version, nth }: ItemPosition): string {
  return encodeCursor([version, nth].map(String));
}

function decodePlace(cursor: string): ItemPosition {
  const parts = decodeCursor(cursor, 2);
  if (!parts.every((text) => /^-?\d{1,9}$/.test(text))) throw foreignCursor();
  const [version = 0, nth = 0] = parts.map(Number);
  return { version, nth };
}
