import { type Item } from '@langchain/langgraph-checkpoint';
import { isThroughlineError } from '@throughline/sdk';

import { type Client, type NewOutput } from './context-log.js';
import { stepIdOf } from './encoded-id.js';
import { Family } from './family.js';

type Value = Readonly<Record<string, unknown>>;
type StoredItem = Readonly<{ key: string; value: Value; createdAt: string; updatedAt: string }>;

const itemStep = 'item:';

/** The contexts of a store: one for each namespace. */
export class StoreNamespaces {
  readonly #family: Family;

  constructor(client: Client, prefix: string) {
    this.#family = new Family(client, {
      parentId: `${prefix}stores`,
      prefix: `${prefix}store.`,
      title: 'LangGraph store',
    });
  }

  contextId(namespace: readonly string[]): string {
    return this.#family.log(namespace).contextId;
  }

  /** Those of deleted items too. */
  async all(): Promise<string[][]> {
    const found: string[][] = [];
    for await (const labels of this.#family.members()) found.push(labels);
    return found;
  }

  async item(namespace: string[], key: string): Promise<Item | null> {
    const latest = await this.#family.log(namespace).latest(stepOf(key));
    return toItem(namespace, latest?.output?.output);
  }

  async items(namespace: string[]): Promise<Item[]> {
    const document = await this.#family.log(namespace).read('stepOutputs');
    return Object.entries(document?.stepOutputs ?? {})
      .filter(([stepId]) => stepId.startsWith(itemStep))
      .map(([, output]) => toItem(namespace, output))
      .filter((item) => item !== null);
  }

  /** Null deletes the item. */
  async put(namespace: string[], values: ReadonlyMap<string, Value | null>): Promise<void> {
    const outputs: NewOutput[] = [];
    for (const [key, value] of values) {
      const known = await this.item(namespace, key);
      if (!known && value === null) continue;
      outputs.push({ stepId: stepOf(key), output: value && itemToStore(key, value, known) });
    }
    const log = this.#family.log(namespace);
    await log.appendAll(outputs).catch(async (error: unknown) => {
      if (!isThroughlineError(error, 'context-not-found')) throw error;
      await this.#family.create(namespace);
      await log.appendAll(outputs);
    });
  }
}

function stepOf(key: string): string {
  return stepIdOf(itemStep, key);
}

function itemToStore(key: string, value: Value, known: Item | null): StoredItem {
  const updatedAt = new Date().toISOString();
  return { key, value, createdAt: known?.createdAt.toISOString() ?? updatedAt, updatedAt };
}

/** Null for what is no item, or none any more. */
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
