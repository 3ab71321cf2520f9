import { type Item, type ItemKey, type ItemKind } from '#shared-context';

import { type ContextHead } from '../contexts/context-head.js';
import { type ContextId } from '../contexts/context-stream.js';
import { bytesOfRow } from '../contexts/item-text.js';
import { type ContextChanges } from '../contexts/project-events.js';

/** Payloads of these are replaced whole and never looked at by a fold; they are the large ones. */
const replacedKinds: ReadonlySet<ItemKind> = new Set(['step-output', 'output', 'output-value']);

/** Bytes of all that is remembered, about; what a remembered item, and a remembered agent, costs beside its own. */
const mostBytes = 16 * 1_048_576;
const itemBytes = 400;
const agentBytes = 64;

/** An item that was read, and the bytes of its row; undefined if there is none. */
export type LoadedItem = Readonly<{ item: Item; bytes: number }> | undefined;

/** What is known of the rows of one context; an item that is known to be absent is `undefined`. */
export type RememberedContext = Readonly<{
  head: ContextHead | undefined;
  items: ReadonlyMap<string, Item | undefined>;
  agents: ReadonlySet<string>;
}>;

type CachedContext = {
  head: ContextHead;
  items: Map<string, Item | undefined>;
  /** What each item adds to `bytes`. */
  costs: Map<string, number>;
  agents: Set<string>;
  bytes: number;
};
type BatchRows = Readonly<{
  id: ContextId;
  loaded: ReadonlyMap<string, LoadedItem>;
  changes: ContextChanges;
}>;

/**
 * What a projector wrote last, so that it need not ask for it again. That is sound for who owns a partition: nobody
 * else writes its rows under his epoch, but for contexts that are parked, which are forgotten. What a batch taught
 * counts once it is committed; after a failure nothing is remembered.
 */
export class RowMemory {
  readonly #contexts = new Map<string, CachedContext>();
  #learned: BatchRows[] = [];
  #bytes = 0;

  constructor(private readonly limit: number = mostBytes) {}

  find(id: ContextId): RememberedContext | undefined {
    return this.#contexts.get(idText(id));
  }

  forget(id: ContextId): void {
    this.#bytes -= this.#contexts.get(idText(id))?.bytes ?? 0;
    this.#contexts.delete(idText(id));
    this.#learned = this.#learned.filter((learned) => idText(learned.id) !== idText(id));
  }

  /** To be remembered from the next {@link commit} on. */
  learn(learned: BatchRows): void {
    this.#learned.push(learned);
  }

  commit(): void {
    for (const learned of this.#learned) this.#keep(learned);
    this.#learned = [];
    for (const [text, { bytes }] of this.#contexts) {
      if (this.#bytes <= this.limit) return;
      this.#contexts.delete(text);
      this.#bytes -= bytes;
    }
  }

  clear(): void {
    this.#contexts.clear();
    this.#learned = [];
    this.#bytes = 0;
  }

  /** Those used last come last. */
  #keep({ id, loaded, changes }: BatchRows): void {
    // So many items cannot be remembered, however small they are.
    if (loaded.size * itemBytes > this.limit) return this.forget(id);
    const text = idText(id);
    const before = this.#contexts.get(text);
    this.#bytes -= before?.bytes ?? 0;
    const kept = before ?? unknown(changes.head);
    for (const [key, found] of loaded) remember(kept, key, found);
    change(kept, changes);
    for (const agent of changes.agents) rememberAgent(kept, agent);
    kept.head = changes.head;
    this.#contexts.delete(text);
    // A context that is larger than the whole memory would displace all others, and then itself.
    if (kept.bytes > this.limit) return;
    this.#contexts.set(text, kept);
    this.#bytes += kept.bytes;
  }
}

function change(kept: CachedContext, { ended, added }: ContextChanges): void {
  for (const key of ended) remember(kept, keyText(key), undefined);
  for (const row of added) if (row.toVersion !== null) remember(kept, keyText(row), undefined);
  for (const { kind, key, fromVersion, state, body, sources, toVersion, text } of added)
    if (toVersion === null && state !== null) {
      const item = { kind, key, fromVersion, state, body, sources };
      remember(kept, keyText(item), { item, bytes: bytesOfRow(key, text) });
    }
}

function remember(kept: CachedContext, key: string, found: LoadedItem): void {
  const isSlim = found && replacedKinds.has(found.item.kind);
  const cost = itemBytes + (found && !isSlim ? found.bytes : 0);
  kept.bytes += cost - (kept.costs.get(key) ?? 0);
  kept.costs.set(key, cost);
  kept.items.set(key, isSlim ? { ...found.item, body: undefined } : found?.item);
}

function rememberAgent(kept: CachedContext, agent: string): void {
  if (kept.agents.has(agent)) return;
  kept.agents.add(agent);
  kept.bytes += agentBytes + agent.length;
}

function unknown(head: ContextHead): CachedContext {
  return { head, items: new Map(), costs: new Map(), agents: new Set(), bytes: itemBytes };
}

export function keyText({ kind, key }: ItemKey): string {
  return `${kind} ${key}`;
}

function idText({ workspace, contextId }: ContextId): string {
  return `${workspace}:${contextId}`;
}
