import { type StoredEvent } from '#event-sourcing';
import { type Item, type ItemKey } from '#shared-context';

import { type ContextHead } from '../contexts/context-head.js';
import { type ContextId } from '../contexts/context-stream.js';
import { decodeEvent } from '../contexts/decode-event.js';
import { headColumns } from '../contexts/head-rows.js';
import { encodeKey } from '../contexts/item-rows.js';
import { type ContextChanges, type VersionRow, projectEvents } from '../contexts/project-events.js';
import { type RowLines, headLine, itemLine, sha256, versionLine } from './row-lines.js';

/**
 * Folds the stream of one context from its first event, without a database, to the rows a projection must have made.
 * Keeps what is current, and of rows that have ended only their line.
 */
export class ContextFold {
  #head: ContextHead | undefined;
  readonly #current = new Map<string, Item>();
  readonly #items: string[] = [];
  readonly #versions: string[] = [];
  readonly #agents = new Set<string>();

  constructor(private readonly id: ContextId) {}

  /** 0 before the first event. */
  get version(): number {
    return this.#head?.version ?? 0;
  }

  /** The next events, in order. Throws where this code cannot read one. */
  take(stored: readonly StoredEvent[]): void {
    const [first, ...rest] = stored.map(decodeEvent);
    if (!first) return;
    const find = { find: (key: ItemKey) => this.#current.get(keyText(key)) };
    const changes = projectEvents(this.id, this.#head, find, [first, ...rest]);
    this.#head = changes.head;
    for (const version of changes.versions) this.#versions.push(versionLineOf(version));
    for (const agent of changes.agents) this.#agents.add(agent);
    this.#keep(changes);
  }

  lines(): RowLines {
    const current = [...this.#current.values()].map((item) => lineOf(item, null));
    return {
      contexts: this.#head ? [headLine(headColumns(this.#head))] : [],
      context_items: [...this.#items, ...current].sort(),
      context_versions: this.#versions.toSorted(),
      context_agents: [...this.#agents].sort(),
    };
  }

  #keep({ ended, added }: ContextChanges): void {
    for (const key of ended) {
      const item = this.#current.get(keyText(key));
      if (item) this.#items.push(lineOf(item, key.toVersion));
      this.#current.delete(keyText(key));
    }
    for (const { toVersion, ...item } of added)
      if (toVersion === null) this.#current.set(keyText(item), item);
      else this.#items.push(lineOf(item, toVersion));
  }
}

function lineOf({ kind, key, fromVersion, state, body }: Item, to: number | null): string {
  return itemLine({
    ...{ kind, key: encodeKey(key), from: fromVersion, to },
    state: sha256(JSON.stringify(state)),
    body: body === undefined ? null : sha256(JSON.stringify(body)),
  });
}

function versionLineOf({ correlationId, causationId, ...row }: VersionRow): string {
  const encoded = (text: string | null) => (text === null ? null : encodeKey(text));
  return versionLine({
    ...row,
    correlationId: encoded(correlationId),
    causationId: encoded(causationId),
  });
}

function keyText({ kind, key }: ItemKey): string {
  return `${kind} ${key}`;
}
