import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';

import { LRUCache } from 'lru-cache';

import { type JsonValue, parseJson } from '#event-sourcing';
import {
  type ContextState,
  type Item,
  type RecordedContextEvent,
  bodyReaderOf,
  lazyItem,
  touchedKeys,
} from '#shared-context';

/** Bodies of up to this many bytes of JSON are not packed. */
export const largeBody = 32_768;

/**
 * Maximum characters of JSON of the bodies in the cache of unpacked values: a body is usually read several times in a
 * row.
 */
const maxUnpacked = 4_194_304;

/** The JSON of a large body, compressed and outside the JavaScript heap. */
export class PackedBody {
  private readonly packed: Buffer;
  /** Characters of the JSON. */
  readonly length: number;

  constructor(json: string) {
    this.packed = zstdCompressSync(json);
    this.length = json.length;
  }

  /** The value must not be changed or compared by identity: it is parsed again once the cache has evicted it. */
  get value(): JsonValue {
    const cached = unpacked.get(this);
    if (cached) return cached.value;
    const value = parseJson(zstdDecompressSync(this.packed).toString());
    unpacked.set(this, { value });
    return value;
  }
}

const unpacked = new LRUCache<PackedBody, Readonly<{ value: JsonValue }>>({
  maxSize: maxUnpacked,
  // A value larger than the cache evicts all others.
  sizeCalculation: (_, { length }) => Math.min(length, maxUnpacked),
});

/** The same item; a large body is packed. */
export function packedItem(item: Item): Item {
  if (bodyReaderOf(item) || item.body === undefined || item.body === null) return item;
  const json = JSON.stringify(item.body);
  if (Buffer.byteLength(json) <= largeBody) return item;
  const body = new PackedBody(json);
  return lazyItem(item, () => body.value);
}

/** The state after an event; large bodies that the event touched are packed again. */
export function packTouched(state: ContextState, event: RecordedContextEvent): ContextState {
  const packed = touchedKeys(event).flatMap(({ kind, key }) => {
    const item = state.get(kind, key);
    const lazy = item && packedItem(item);
    return lazy && lazy !== item ? [lazy] : [];
  });
  // In place: a copy per event would cost time for every item of the state.
  state.substitute(packed);
  return state;
}
