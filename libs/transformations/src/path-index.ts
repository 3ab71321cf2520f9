type Entry<Value> = Readonly<{ at: number; value: Value }>;

type Node<Value> = Readonly<{ entries: Entry<Value>[]; inner: Map<string, Node<Value>> }>;

/** Values by path, to find the values whose path is equal to another path, inside it or around it. */
export class PathIndex<Value> {
  readonly #root: Node<Value> = newNode();
  #size = 0;

  constructor(entries: Iterable<readonly [names: readonly string[], value: Value]> = []) {
    for (const [names, value] of entries) this.add(names, value);
  }

  add(names: readonly string[], value: Value): void {
    let node = this.#root;
    for (const name of names) {
      const next = node.inner.get(name) ?? newNode<Value>();
      node.inner.set(name, next);
      node = next;
    }
    node.entries.push({ at: this.#size++, value });
  }

  /**
   * The values in the order in which they were added. Visits only the names of the path and the overlapping entries.
   */
  overlapping(names: readonly string[]): readonly Value[] {
    const around: Entry<Value>[] = [];
    let node: Node<Value> | undefined = this.#root;
    for (const name of names) {
      around.push(...node.entries);
      node = node.inner.get(name);
      if (!node) break;
    }
    const found = node ? [...around, ...entriesIn(node)] : around;
    return found.sort((left, right) => left.at - right.at).map(({ value }) => value);
  }
}

function newNode<Value>(): Node<Value> {
  return { entries: [], inner: new Map() };
}

function entriesIn<Value>(node: Node<Value>): readonly Entry<Value>[] {
  const found: Entry<Value>[] = [];
  const open = [node];
  for (let next = open.pop(); next; next = open.pop()) {
    found.push(...next.entries);
    open.push(...next.inner.values());
  }
  return found;
}
