import { type Item, type ItemKind } from '../item.js';
import { oldestFirst } from '../listed-entry.js';

/** The items of a context as rules look at them: by kind, and by key. */
export class ContextRecord {
  readonly #byKind: ReadonlyMap<ItemKind, readonly Item[]>;
  readonly #keys: ReadonlySet<string>;

  constructor(items: Iterable<Item>) {
    const all = [...items];
    this.#byKind = Map.groupBy(all, ({ kind }) => kind);
    this.#keys = new Set(all.map(({ kind, key }) => textOf(kind, key)));
  }

  /** In the order in which they were first stated. */
  of(kind: ItemKind): readonly Item[] {
    return oldestFirst(kind, this.#byKind.get(kind) ?? []);
  }

  has(kind: ItemKind, key: string): boolean {
    return this.#keys.has(textOf(kind, key));
  }
}

/** Kinds hold no space. */
function textOf(kind: ItemKind, key: string): string {
  return `${kind} ${key}`;
}
