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
  /** What the ids of the contexts begin with; `langgraph.` by default. Stores with the same prefix share their items. */
  prefix?: string;
}>;

/** Keeps each namespace in a context of Throughline, and each item as the output of a step, so that its history stays. */
export class ThroughlineStore extends BaseStore {
  readonly #namespaces: StoreNamespaces;

  constructor({ client, prefix = 'langgraph.' }: ThroughlineStoreOptions) {
    super();
    this.#namespaces = new StoreNamespaces(client, prefix);
  }

  /**
   * Reads see what was stored before the batch. Of several puts of one item the last one counts. The puts of one namespace are
   * stored together or not at all, if they are at most 500 and 900,000 bytes of JSON; more are stored piece by piece, in order,
   * since LangGraph itself makes a batch of all that a graph puts at once.
   */
  async batch<Op extends Operation[]>(operations: Op): Promise<OperationResults<Op>> {
    const puts = operations.filter(isPut);
    for (const { namespace } of puts) validateNamespace(namespace, { allowReservedRoot: true });
    const results = await Promise.all(operations.map((operation) => this.#read(operation)));
    await this.#putAll(puts);
    // Each result is of the kind of its operation, which the compiler does not follow through a list.
    return results as OperationResults<Op>;
  }

  /** The id of the context that the namespace is kept in. */
  contextId(namespace: readonly string[]): string {
    return this.#namespaces.contextId(namespace);
  }

  async #read(operation: Operation): Promise<Item | null | SearchItem[] | string[][] | undefined> {
    if (isPut(operation)) return undefined;
    if (isSearch(operation)) return this.#search(operation);
    if (isGet(operation)) return this.#namespaces.item(operation.namespace, operation.key);
    return listNamespaces(await this.#namespaces.all(), operation);
  }

  /** The items written last come first. Texts are not compared: a `query` ranks nothing, as in a store without embeddings. */
  async #search({ namespacePrefix, ...wanted }: SearchOperation): Promise<SearchItem[]> {
    const items: Item[] = [];
    for (const namespace of await this.#namespaces.all())
      if (namespacePrefix.every((label, at) => label === namespace[at]))
        items.push(...(await this.#namespaces.items(namespace)));
    return findItems(
      items.toSorted((a, b) => b.updatedAt.getTime() - a.updatedAt.getTime()),
      wanted,
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

/** LangGraph's own store does the filtering, so that filters mean here what they mean there. */
async function findItems(
  items: readonly Item[],
  wanted: Omit<SearchOperation, 'namespacePrefix'>,
): Promise<SearchItem[]> {
  const [store, namespace] = [new InMemoryStore(), ['items']];
  await store.batch(items.map(({ value }, at) => ({ namespace, key: String(at), value })));
  const found = await store.search(namespace, wanted);
  return found.flatMap(({ key }) => items[Number(key)] ?? []);
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
