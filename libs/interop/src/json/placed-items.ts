import { type SourcePiece } from '#shared-context';

import { baseRef } from '../documents/item-ref.js';
import { JsonPart } from './json-part.js';
import { type JsonText } from './json-text.js';

type Path = readonly (string | number)[];

/** The locations of items in a JSON document: a piece with items begins with the value of these items. */
export class PlacedItems {
  readonly #paths = new Map<string, Path[]>();

  constructor(json: JsonText, pieces: readonly SourcePiece[]) {
    const items = itemsByOffset(pieces);
    const waiting = [new JsonPart(json)];
    for (let part = waiting.pop(); part; part = waiting.pop()) {
      for (const ref of items.get(part.start) ?? []) this.#add(ref, part.path);
      for (const [, member] of part.members()) waiting.push(member);
      for (const element of part.elements()) waiting.push(element);
    }
  }

  /** The path of an item below `list`; the last one if there are several. */
  pathIn(list: Path, ref: string): Path | undefined {
    const paths = this.#paths.get(ref) ?? this.#paths.get(baseRef(ref)) ?? [];
    // The document is visited from its end, so the last one comes first.
    return paths.find((path) => list.every((name, at) => path[at] === name));
  }

  #add(ref: string, path: Path): void {
    const paths = this.#paths.get(ref);
    if (paths) paths.push(path);
    else this.#paths.set(ref, [path]);
  }
}

function itemsByOffset(pieces: readonly SourcePiece[]): ReadonlyMap<number, readonly string[]> {
  const items = new Map<number, readonly string[]>();
  let offset = 0;
  for (const piece of pieces) {
    if (piece.items.length > 0) items.set(offset, piece.items);
    offset += piece.text.length;
  }
  return items;
}
