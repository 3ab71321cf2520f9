import { type Item } from '@langchain/langgraph-checkpoint';
import { isThroughlineError } from '@throughline/sdk';

import { type Client, type NewOutput } from './context-log.js';
import { stepIdOf } from './encoded-id.js';
import { ContextGroup } from './context-group.js';

type Value = Readonly<Record<string, unknown>>;
type StoredItem = Readonly<{ key: string; value: Value; createdAt: string; updatedAt: string }>;

const itemStep = 'item:';

/** The contexts of a store: one for each namespace. */
export class StoreNamespaces {
  readonly #group: ContextGroup;

  constructor(client: Client, prefix: string) {
    this.#group = new ContextGroup(client, {
      parentId: `${prefix}stores`,
      prefix: `${prefix}store.`,
      title: 'LangGraph store',
    });
  }

  contextId(namespace: readonly string[]): string {
    return this.#group.log(namespace).contextId;
  }

  /** Returns all namespaces, including namespaces without remaining items. */
  async all(): Promise<string[][]> {
    const namespaces: string[][] = [];
    for await (const labels of this.#group.members()) namespaces.push(labels);
    return namespaces;
  }

  async item(namespace: string[], key: string): Promise<Item | null> {
    const latest = await this.#group.log(namespace).latest(stepOf(key));
    return toItem(namespace, latest?.output?.output);
  }

  async items(namespace: string[]): Promise<Item[]> {
    const document = await this.#group.log(namespace).read('stepOutputs');
    return Object.entries(document?.stepOutputs ?? {})
      .filter(([stepId]) => stepId.startsWith(itemStep))
      .map(([, output]) => toItem(namespace, output))
      .filter((item) => item !== null);
  }

  /** A null value deletes the item. */
  async put(namespace: string[], values: ReadonlyMap<string, Value | null>): Promise<void> {
    const outputs: NewOutput[] = [];
    for (const [key, value] of values) {
      const existing = await this.item(namespace, key);
      if (!existing && value === null) continue;
      outputs.push({ stepId: stepOf(key), output: value && itemToStore(key, value, existing) });
    }
    const log = this.#group.log(namespace);
    await log.appendAll(outputs).catch(async (error: unknown) => {
      if (!isThroughlineError(error, 'context-not-found')) throw error;
      await this.#group.create(namespace);
      await log.appendAll(outputs);
    });
  }
}

function stepOf(key: string): string {
  return stepIdOf(itemStep, key);
}

function itemToStore(key: string, value: Value, existing: Item | null): StoredItem {
  const updatedAt = new Date().toISOString();
  return { key, value, createdAt: existing?.createdAt.toISOString() ?? updatedAt, updatedAt };
}

/** Returns null for other outputs and for deleted items. */
function toItem(namespace: string[], output: unknown): Item | null {
  if (typeof output !== 'object' || output === null || !('updatedAt' in output)) return null;
  const { key, value, createdAt, updatedAt } = output as StoredItem;
  return {
    key,
    namespace: [...namespace],
    value,
    createdAt: new Date(createdAt),
    updatedAt: new Date(updatedAt),
  };
}
