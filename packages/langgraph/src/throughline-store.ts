import {
  BaseStore,
  type GetOperation,
  InMemoryStore,
  type Item,
  type ListNamespacesOperation,
  type Operation,
  type OperationResults,
  type PutOperation,
  type SearchItem,
  type SearchOperation,
  validateNamespace,
} from '@langchain/langgraph-checkpoint';

import { type Client } from './context-log.js';
import { listNamespaces } from './namespaces.js';
import { StoreNamespaces } from './store-namespaces.js';

export type ThroughlineStoreOptions = Readonly<{
  client: Client;
  /** The prefix of the ids of the contexts; `langgraph.` by default. Stores with the same prefix share their items. */
  prefix?: string;
}>;

/** Stores each namespace in a context of Throughline, and each item as the output of a step, which preserves its history. */
export class ThroughlineStore extends BaseStore {
  readonly #namespaces: StoreNamespaces;

  constructor({ client, prefix = 'langgraph.' }: ThroughlineStoreOptions) {
    super();
    this.#namespaces = new StoreNamespaces(client, prefix);
  }

  /**
   * Reads return the state before the batch. If an item is put several times, the last value counts. The puts of one namespace
   * are stored atomically if they are at most 500 and 900,000 bytes of JSON. More puts are stored in several appends in order,
   * because LangGraph creates one batch of all puts of a graph at a time.
   */
  async batch<Op extends Operation[]>(operations: Op): Promise<OperationResults<Op>> {
    const puts = operations.filter(isPut);
    for (const { namespace } of puts) validateNamespace(namespace, { allowReservedRoot: true });
    const results = await Promise.all(operations.map((operation) => this.#read(operation)));
    await this.#putAll(puts);
    // The cast is safe: each result has the type of its operation, which the compiler cannot infer for a list.
    return results as OperationResults<Op>;
  }

  /** Returns the id of the context of the namespace. */
  contextId(namespace: readonly string[]): string {
    return this.#namespaces.contextId(namespace);
  }

  async #read(operation: Operation): Promise<Item | null | SearchItem[] | string[][] | undefined> {
    if (isPut(operation)) return undefined;
    if (isSearch(operation)) return this.#search(operation);
    if (isGet(operation)) return this.#namespaces.item(operation.namespace, operation.key);
    return listNamespaces(await this.#namespaces.all(), operation);
  }

  /** Returns the latest items first. Ignores `query`, as a store without embeddings does. */
  async #search({ namespacePrefix, ...conditions }: SearchOperation): Promise<SearchItem[]> {
    const items: Item[] = [];
    for (const namespace of await this.#namespaces.all())
      if (namespacePrefix.every((label, at) => label === namespace[at]))
        items.push(...(await this.#namespaces.items(namespace)));
    return findItems(
      items.toSorted((a, b) => b.updatedAt.getTime() - a.updatedAt.getTime()),
      conditions,
    );
  }

  async #putAll(puts: readonly PutOperation[]): Promise<void> {
    const byNamespace = new Map<string, PutOperation[]>();
    for (const put of puts) {
      const name = JSON.stringify(put.namespace);
      byNamespace.set(name, [...(byNamespace.get(name) ?? []), put]);
    }
    for (const [name, ofNamespace] of byNamespace) {
      const values = ofNamespace.map(({ key, value }) => [key, value] as const);
      await this.#namespaces.put(JSON.parse(name), new Map(values));
    }
  }
}

/** Filters with LangGraph's own store, so that filters have the same semantics. */
async function findItems(
  items: readonly Item[],
  conditions: Omit<SearchOperation, 'namespacePrefix'>,
): Promise<SearchItem[]> {
  const [store, namespace] = [new InMemoryStore(), ['items']];
  await store.batch(items.map(({ value }, at) => ({ namespace, key: String(at), value })));
  const matching = await store.search(namespace, conditions);
  return matching.flatMap(({ key }) => items[Number(key)] ?? []);
}

function isPut(operation: Operation): operation is PutOperation {
  return 'value' in operation;
}

function isSearch(operation: Operation): operation is SearchOperation {
  return 'namespacePrefix' in operation;
}

function isGet(operation: GetOperation | ListNamespacesOperation): operation is GetOperation {
  return 'key' in operation;
}
