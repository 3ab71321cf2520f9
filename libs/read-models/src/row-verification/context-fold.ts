import { type StoredEvent } from '#event-sourcing';
import {
  type Base,
  type ContextHead,
  type ContextId,
  type DecodedEvent,
  type Item,
  type ItemKey,
  activityOf,
  activityOnBase,
  baseOf,
  decodeEvent,
  isContent,
  rebase,
} from '#shared-context';

import { headColumns } from '../contexts/head-rows.js';
import { encodeKey } from '../contexts/item-rows.js';
import { type ItemRow } from '../contexts/item-spans.js';
import { workColumns } from '../open-work/open-work-rows.js';
import { encodeSources } from '../contexts/source-column.js';
import {
  type RowChanges,
  type CurrentItems,
  type VersionRow,
  projectEvents,
} from '../contexts/project-events.js';
import { sha256 } from '../sha256.js';
import {
  type RowLines,
  headLine,
  itemLine,
  lineageLine,
  versionLine,
  workLine,
} from './row-lines.js';

type OpenRow = Omit<ItemRow, 'text'>;

/** All items of a context at a version, read from the streams alone. */
type FoldBase = (base: Base) => Promise<Iterable<Item>>;

/**
 * Folds the stream of one context from its first event, without a database, to the rows that a projection must have
 * written. Retains the current items; of ended rows it stores only their line.
 */
export class ContextFold {
  #head: ContextHead | undefined;
  /** The items that the next event is folded over, from rows of this context or of its base. */
  readonly #current = new Map<string, Item>();
  /** Rows of this context that have not ended, by key; rows of older layers never end. */
  readonly #open = new Map<string, OpenRow>();
  readonly #items: string[] = [];
  readonly #versions: string[] = [];
  readonly #lineages: string[] = [];
  readonly #agents = new Set<string>();

  constructor(
    private readonly id: ContextId,
    private readonly foldBase: FoldBase,
  ) {}

  /** 0 before the first event. */
  get version(): number {
    return this.#head?.version ?? 0;
  }

  /** Takes the next events, in order. Throws if this code cannot read one. */
  async take(stored: readonly StoredEvent[]): Promise<void> {
    let run: DecodedEvent[] = [];
    for (const event of stored.map(decodeEvent)) {
      const base = baseOf(this.id.contextId, event);
      if (base) {
        this.#fold(run);
        run = [];
        this.#fold([event], await this.#rebase(base));
      } else run.push(event);
    }
    this.#fold(run);
  }

  lines(): RowLines {
    return {
      contexts: this.#head ? [headLine(headColumns(this.#head))] : [],
      context_items: [...this.#items, ...[...this.#open.values()].map(lineOf)].sort(),
      context_versions: this.#versions.toSorted(),
      context_agents: [...this.#agents].sort(),
      context_lineages: this.#lineages.toSorted(),
      open_work: [...this.#current.values()].flatMap(workLineOf).sort(),
    };
  }

  async #rebase(base: Base): Promise<CurrentItems['activity']> {
    const items = [...(await this.foldBase(base))];
    const rebased = rebase(base, this.#current.values(), items);
    this.#current.clear();
    for (const item of rebased.values()) this.#current.set(keyText(item), item);
    for (const [text, row] of this.#open)
      if (isContent(row)) {
        this.#items.push(lineOf(row));
        this.#open.delete(text);
      }
    return activityOnBase(base, this.#head?.activity, activityOf(items));
  }

  #fold(events: readonly DecodedEvent[], activity?: CurrentItems['activity']): void {
    const [first, ...rest] = events;
    if (!first) return;
    const find = (key: ItemKey) => this.#current.get(keyText(key));
    const changes = projectEvents(this.id, this.#head, { find, activity }, [first, ...rest]);
    this.#head = changes.head;
    for (const version of changes.versions) this.#versions.push(versionLineOf(version));
    for (const agent of changes.agents) this.#agents.add(agent);
    if (changes.lineage)
      this.#lineages.push(lineageLine({ ...changes.lineage, from: changes.lineage.fromVersion }));
    this.#store(changes);
  }

  #store({ ended, added }: RowChanges): void {
    for (const { toVersion, ...key } of ended) {
      const row = this.#open.get(keyText(key));
      if (row) this.#items.push(lineOf({ ...row, toVersion }));
      this.#open.delete(keyText(key));
      this.#current.delete(keyText(key));
    }
    for (const row of added) this.#add(row);
  }

  #add({ text: _, ...row }: ItemRow): void {
    const { state, toVersion, ...item } = row;
    if (state === null || toVersion !== null) {
      this.#items.push(lineOf(row));
      this.#current.delete(keyText(row));
    } else {
      this.#open.set(keyText(row), row);
      this.#current.set(keyText(row), { ...item, state });
    }
  }
}

function lineOf({ kind, key, fromVersion, toVersion, state, body, sources }: OpenRow): string {
  return itemLine({
    kind,
    key: encodeKey(key),
    from: fromVersion,
    to: toVersion,
    state: sha256(JSON.stringify(state)),
    body: body === undefined ? null : sha256(JSON.stringify(body)),
    sources: hashOf(encodeSources(sources)),
  });
}

function workLineOf(item: Item): string[] {
  const columns = workColumns(item);
  if (!columns) return [];
  const { state, body, sources } = columns;
  const hashed = { state: sha256(state), body: hashOf(body), sources: hashOf(sources) };
  return [workLine({ ...columns, ...hashed })];
}

function hashOf(text: string | null): string | null {
  return text === null ? null : sha256(text);
}

function versionLineOf({ correlationId, causationId, activity, ...row }: VersionRow): string {
  const encoded = (text: string | null) => (text === null ? null : encodeKey(text));
  return versionLine({
    ...row,
    correlationId: encoded(correlationId),
    causationId: encoded(causationId),
    activity: activity && JSON.stringify(activity),
  });
}

function keyText({ kind, key }: ItemKey): string {
  return `${kind} ${key}`;
}
