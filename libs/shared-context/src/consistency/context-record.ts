import { type Item } from '../item.js';
import { type ItemKind } from '../item-kinds.js';
import { oldestFirst } from '../listed-entry.js';

/** Access by kind and by key to the items of a context, for the consistency rules. */
export class ContextRecord {
  readonly #byKind: ReadonlyMap<ItemKind, readonly Item[]>;
  readonly #byKey: ReadonlyMap<string, Item>;
  readonly #all: ReadonlyMap<ItemKind, readonly Item[]>;

  /** `isSubject` selects the items that findings may mention; of the others, rules only use that they exist. */
  constructor(
    items: Iterable<Item>,
    readonly isSubject: (item: Item) => boolean = () => true,
  ) {
    const all = [...items];
    this.#all = Map.groupBy(all, ({ kind }) => kind);
    this.#byKind = Map.groupBy(all.filter(isSubject), ({ kind }) => kind);
    this.#byKey = new Map(all.map((item) => [textOf(item.kind, item.key), item]));
  }

  /** In the order in which they were first recorded. */
  of(kind: ItemKind): readonly Item[] {
    return oldestFirst(kind, this.#byKind.get(kind) ?? []);
  }

  /** All items of a kind, in no particular order, including items that findings must not mention. */
  all(kind: ItemKind): readonly Item[] {
    return this.#all.get(kind) ?? [];
  }

  find(kind: ItemKind, key: string): Item | undefined {
    return this.#byKey.get(textOf(kind, key));
  }

  has(kind: ItemKind, key: string): boolean {
    return this.#byKey.has(textOf(kind, key));
  }
}

/** Unique, as no kind contains a space. */
function textOf(kind: ItemKind, key: string): string {
  return `${kind} ${key}`;
}
