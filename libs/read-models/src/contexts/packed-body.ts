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

/** Bodies of up to so many bytes of JSON are not packed. */
export const largeBody = 32_768;

/** Characters of JSON of the bodies that were unpacked last: whoever reads one mostly reads it several times. */
const maxUnpacked = 4_194_304;

/** The JSON of a large body, compressed and outside of the heap of JavaScript. */
export class PackedBody {
  private readonly packed: Buffer;
  /** Characters of the JSON. */
  readonly length: number;

  constructor(json: string) {
    this.packed = zstdCompressSync(json);
    this.length = json.length;
  }

  /** Never the same value for long: it must not be changed, and not be compared by identity. */
  get value(): JsonValue {
    const known = unpacked.get(this);
    if (known) return known.value;
    const value = parseJson(zstdDecompressSync(this.packed).toString());
    unpacked.set(this, { value });
    return value;
  }
}

const unpacked = new LRUCache<PackedBody, Readonly<{ value: JsonValue }>>({
  maxSize: maxUnpacked,
  // A larger entry replaces all others.
  sizeCalculation: (_, { length }) => Math.min(length, maxUnpacked),
});

/** The same item, with its body packed if that is large. */
export function packedItem(item: Item): Item {
  if (bodyReaderOf(item) || item.body === undefined || item.body === null) return item;
  const json = JSON.stringify(item.body);
  if (Buffer.byteLength(json) <= largeBody) return item;
  const body = new PackedBody(json);
  return lazyItem(item, () => body.value);
}

/** The state that an event has made, with large bodies that it has touched packed again. */
export function packTouched(state: ContextState, event: RecordedContextEvent): ContextState {
  const packed = touchedKeys(event).flatMap(({ kind, key }) => {
    const item = state.get(kind, key);
    const lazy = item && packedItem(item);
    return lazy && lazy !== item ? [lazy] : [];
  });
  // In place: a copy for each event would cost all items of the state each time.
  state.substitute(packed);
  return state;
}
