import {
  type Item,
  type ItemKey,
  type ItemLookup,
  authorOf,
  foldEvent,
  touchedKeys,
} from '#shared-context';

import { type ContextHead, advanceHead } from './context-head.js';
import { type ContextId, contextStream } from './context-stream.js';
import { type DecodedEvent } from './decode-event.js';

/** One item in one version span; `toVersion` null while it is current. */
export type ItemRow = ContextId & Item & Readonly<{ toVersion: number | null }>;

export type VersionRow = ContextId &
  Readonly<{
    version: number;
    recordedAt: string;
    principal: string;
    bytes: number;
    tokens: number;
    eventId: string;
    correlationId: string | null;
    causationId: string | null;
  }>;

/** What a run of events does to the rows of one context. */
export type ContextChanges = Readonly<{
  head: ContextHead;
  /** Rows that were current before and end at `toVersion`. */
  ended: readonly (ContextId & ItemKey & { fromVersion: number; toVersion: number })[];
  added: readonly ItemRow[];
  versions: readonly VersionRow[];
  agents: readonly string[];
}>;

/** The items of a context that are current, as far as they are needed. */
export type CurrentItems = Readonly<{ find(key: ItemKey): Item | undefined }>;

/** Every item the events may read or change. */
export function keysOf(events: readonly DecodedEvent[]): ItemKey[] {
  const keys = new Map<string, ItemKey>();
  for (const key of events.flatMap((event) => touchedKeys(event))) keys.set(keyText(key), key);
  return [...keys.values()];
}

/** Folds events that follow `head` without a gap into row changes. Pure. */
export function projectEvents(
  id: ContextId,
  head: ContextHead | undefined,
  current: CurrentItems,
  events: readonly [DecodedEvent, ...DecodedEvent[]],
): ContextChanges {
  const items = new ItemSpans(id, current);
  const versions: VersionRow[] = [];
  let at = head;
  for (const event of events) {
    if (event.version !== (at?.version ?? 0) + 1)
      throw new Error(
        `${contextStream(id)}: event ${event.version} does not follow version ${at?.version ?? 0}`,
      );
    at = advanceHead(id, at, event, items.lookup);
    items.apply(event);
    versions.push(versionRow(id, event, at));
  }
  const agents = [...new Set(events.map(authorOf))];
  // The tuple type says there is at least one event, so `at` was set.
  return { head: at as ContextHead, ended: items.ended, added: items.added(), versions, agents };
}

function versionRow(id: ContextId, event: DecodedEvent, head: ContextHead): VersionRow {
  return {
    ...id,
    version: event.version,
    recordedAt: event.recordedAt,
    principal: event.principal,
    bytes: head.bytes,
    tokens: head.tokens,
    eventId: event.eventId,
    correlationId: event.envelope.correlationId,
    causationId: event.envelope.causationId,
  };
}

/** Keeps spans while events are folded: what ended of the stored rows, and what is new. */
class ItemSpans {
  readonly ended: (ContextId & ItemKey & { fromVersion: number; toVersion: number })[] = [];
  readonly #past: ItemRow[] = [];
  readonly #now = new Map<string, Item | undefined>();
  readonly #fresh = new Set<string>();

  constructor(
    private readonly id: ContextId,
    private readonly stored: CurrentItems,
  ) {}

  readonly lookup: ItemLookup = (kind, key) => this.#find({ kind, key });

  apply(event: DecodedEvent): void {
    const changes = foldEvent(event, this.lookup);
    for (const change of changes) {
      this.#end(change, event.version);
      const { kind, key } = change;
      if ('removed' in change) this.#now.set(keyText(change), undefined);
      else {
        const { state, body } = change;
        this.#now.set(keyText(change), { kind, key, state, body, fromVersion: event.version });
        this.#fresh.add(keyText(change));
      }
    }
  }

  added(): ItemRow[] {
    const current = [...this.#fresh].flatMap((text) => {
      const item = this.#now.get(text);
      return item ? [{ ...this.id, ...item, toVersion: null }] : [];
    });
    return [...this.#past, ...current];
  }

  #find(key: ItemKey): Item | undefined {
    const text = keyText(key);
    return this.#now.has(text) ? this.#now.get(text) : this.stored.find(key);
  }

  #end(key: ItemKey, toVersion: number): void {
    const before = this.#find(key);
    if (!before) return;
    const text = keyText(key);
    if (!this.#fresh.delete(text))
      this.ended.push({
        ...this.id,
        kind: key.kind,
        key: key.key,
        fromVersion: before.fromVersion,
        toVersion,
      });
    // An item changed twice by one version keeps only the last: its span would be empty.
    else if (before.fromVersion < toVersion) this.#past.push({ ...this.id, ...before, toVersion });
  }
}

function keyText({ kind, key }: ItemKey): string {
  return `${kind} ${key}`;
}
