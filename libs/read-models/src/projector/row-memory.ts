import { type Item, type ItemKey, type ItemKind } from '#shared-context';

import { type ContextHead } from '../contexts/context-head.js';
import { type ContextId } from '../contexts/context-stream.js';
import { type ContextChanges } from '../contexts/project-events.js';

/** Payloads of these are replaced whole and never looked at by a fold; they are the large ones. */
const replacedKinds: ReadonlySet<ItemKind> = new Set(['step-output', 'output', 'output-value']);

/** Bytes of payloads, about; what a remembered item costs beside its own. */
const mostBytes = 16 * 1_048_576;
const itemBytes = 400;

/** What is known of the rows of one context; an item that is known to be absent is `undefined`. */
export type RememberedContext = Readonly<{
  head: ContextHead | undefined;
  items: ReadonlyMap<string, Item | undefined>;
  agents: ReadonlySet<string>;
}>;

type Kept = {
  head: ContextHead;
  items: Map<string, Item | undefined>;
  agents: Set<string>;
  bytes: number;
};
type Learned = Readonly<{
  id: ContextId;
  loaded: ReadonlyMap<string, Item | undefined>;
  changes: ContextChanges;
  bytes: number;
}>;

/**
 * What a projector wrote last, so that it need not ask for it again. That is sound for who owns a partition: nobody
 * else writes its rows under his epoch, but for contexts that are parked, which are forgotten. What a batch taught
 * counts once it is committed; after a failure nothing is remembered.
 */
export class RowMemory {
  readonly #contexts = new Map<string, Kept>();
  #learned: Learned[] = [];
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

  /** To be remembered from the next {@link commit} on. `bytes`: payloads of the events behind the changes. */
  learn(learned: Learned): void {
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
  #keep({ id, loaded, changes, bytes }: Learned): void {
    const text = idText(id);
    const kept = this.#contexts.get(text) ?? unknown(changes.head);
    const before = kept.items.size;
    for (const [key, item] of loaded) kept.items.set(key, item && slim(item));
    this.#change(kept.items, changes);
    for (const agent of changes.agents) kept.agents.add(agent);
    const cost = bytes + (kept.items.size - before) * itemBytes;
    this.#contexts.delete(text);
    this.#contexts.set(text, { ...kept, head: changes.head, bytes: kept.bytes + cost });
    this.#bytes += cost;
  }

  #change(items: Map<string, Item | undefined>, { ended, added }: ContextChanges): void {
    for (const key of ended) items.set(keyText(key), undefined);
    for (const row of added) if (row.toVersion !== null) items.set(keyText(row), undefined);
    for (const { kind, key, fromVersion, state, body, sources, toVersion } of added)
      if (toVersion === null && state !== null)
        items.set(keyText({ kind, key }), slim({ kind, key, fromVersion, state, body, sources }));
  }
}

function unknown(head: ContextHead): Kept {
  return { head, items: new Map(), agents: new Set(), bytes: 0 };
}

export function keyText({ kind, key }: ItemKey): string {
  return `${kind} ${key}`;
}

function slim(item: Item): Item {
  return replacedKinds.has(item.kind) ? { ...item, body: undefined } : item;
}

function idText({ workspace, contextId }: ContextId): string {
  return `${workspace}:${contextId}`;
}
