import { setImmediate } from 'node:timers/promises';

import { type Kysely, type RawBuilder, sql } from 'kysely';

import { type Database } from '#database';
import { type CallOptions, type EventStore } from '#event-sourcing';
import {
  type Base,
  ContextState,
  type ItemKind,
  activityKinds,
  activityOf,
  baseOf,
  contentKinds,
  copiedKeys,
  rebase,
} from '#shared-context';

import { type ReadModelTables, liveTables } from '../tables.js';
import { type ContextHead, advanceHead } from './context-head.js';
import { findHeadAt } from './head-at.queries.js';
import { headRow, toHead } from './head-rows.js';
import { readItems } from './item-rows.js';
import { type Selection, selectedItems } from './item-selection.js';
import { readLayered } from './layered-items.js';
import { countLinks } from './layers.js';
import { type ContextId, contextStream } from './context-stream.js';
import { type DecodedEvent, decodeEvent } from './decode-event.js';
import { WorkTurn } from './work-turn.js';

/** A context at one version; `head` is undefined where there is none. */
export type ContextSnapshot = Readonly<{ head: ContextHead | undefined; state: ContextState }>;

/** What the rows by themselves say; `beside` is what was asked for in the same statement. */
export type ProjectedSnapshot = ContextSnapshot & Readonly<{ beside: unknown }>;

/** As of which version the rows are asked, and for what beside them: a scalar that does not depend on the context. */
type Rows = Readonly<{ at?: number; beside?: RawBuilder<unknown> | undefined }>;

/** Versions behind `after`, up to `until`; `first`: how many of them are read at first. */
export type TailRange = Readonly<{ after: number; until?: number; first?: number }>;

type Asked = Readonly<{
  id: ContextId;
  selection: Selection;
  until: number;
  options: CallOptions | undefined;
}>;

const shortTail = 32;
/** An event may have a megabyte. */
const longestPage = 128;

/**
 * Reads one context, never stale: the rows of the projection, and the tail of the stream behind them folded by
 * the functions that made the rows. Right while the projection lags or stands still; cheap while it does not.
 */
export class ContextReader {
  constructor(
    private readonly db: Kysely<Database>,
    private readonly store: EventStore,
    private readonly tables: ReadModelTables = liveTables,
  ) {}

  /** The context now. Throws UndecodableEventError where the tail holds an event this code cannot read. */
  async read(id: ContextId, selection: Selection, options?: CallOptions): Promise<ContextSnapshot> {
    return this.follow(id, selection, await this.projected(id, selection, {}, options), options);
  }

  /** The rest of a read from what was known at an earlier version. */
  follow(
    id: ContextId,
    selection: Selection,
    from: ContextSnapshot,
    options?: CallOptions,
  ): Promise<ContextSnapshot> {
    return this.#advance({ id, selection, until: Number.MAX_SAFE_INTEGER, options }, from);
  }

  /** The context as it was at `version`, which must not be beyond its head. */
  async readAt(
    id: ContextId,
    version: number,
    selection: Selection,
    options?: CallOptions,
  ): Promise<ContextSnapshot> {
    const projected = await this.projected(id, selection, { at: version }, options);
    if (projected.head && projected.head.version >= version) {
      const head = await findHeadAt(this.db, this.tables, projected.head, version);
      // Without one the rows were replaced by older ones between the two statements.
      return head ? { state: projected.state, head } : this.readAt(id, version, selection, options);
    }
    return this.#advance({ id, selection, until: version, options }, projected);
  }

  /** The current version; 0 where there is no context. */
  async version(id: ContextId, options?: CallOptions): Promise<number> {
    const [newest] = await this.store.readStream(
      contextStream(id),
      { direction: 'backwards', limit: 1 },
      options,
    );
    return newest?.version ?? 0;
  }

  /** How many restores and forks, one in another, a version stands on, as far as the rows have reached. */
  depth(id: ContextId, version: number): Promise<number> {
    return countLinks(this.db, this.tables, id, version);
  }

  /** The newest version recorded at or before `time` (RFC 3339, UTC, milliseconds); 0 before the first. */
  async versionAt(id: ContextId, time: string, options?: CallOptions): Promise<number> {
    const { projected, found } = await this.#projectedVersionAt(id, time);
    if (found < projected) return found;
    let version = found;
    for await (const event of this.tail(id, { after: projected }, options)) {
      if (event.recordedAt > time) break;
      version = event.version;
    }
    return version;
  }

  /** Decoded events of a range, oldest first. */
  async *tail(
    id: ContextId,
    range: TailRange,
    options?: CallOptions,
  ): AsyncGenerator<DecodedEvent> {
    for await (const stored of this.storedTail(id, range, options)) yield decodeEvent(stored);
  }

  /** Reads `first` events, then more at a time: a tail is mostly short, and its events may be large. */
  async *storedTail(id: ContextId, range: TailRange, options?: CallOptions) {
    const { after, until = Number.MAX_SAFE_INTEGER, first = shortTail } = range;
    const turn = new WorkTurn();
    let from = after + 1;
    for (let size = first; from <= until; size *= 2) {
      const limit = Math.min(size, longestPage, until - from + 1);
      const page = await this.store.readStream(contextStream(id), { from, limit }, options);
      for (const event of page) {
        yield event;
        if (turn.isOver(event.data.length)) await setImmediate();
      }
      if (page.length < limit) return;
      from += page.length;
    }
  }

  async #advance(
    { id, selection, until, options }: Asked,
    { head, state }: ContextSnapshot,
  ): Promise<ContextSnapshot> {
    let at = head;
    let now = state;
    const range = { after: head?.version ?? 0, until };
    for await (const event of this.tail(id, range, options)) {
      const base = baseOf(id.contextId, event);
      const { before, seen } = base
        ? await this.#rebase(id, now, { base, selection, options })
        : { before: now, seen: {} };
      at = { ...advanceHead(id, at, event, before.lookup), ...seen };
      now = before.apply(event);
    }
    return { head: at, state: now };
  }

  /** What an event with a base is folded over; `seen` is its activity, where everything it follows from was asked for. */
  async #rebase(
    { workspace }: ContextId,
    now: ContextState,
    { base, selection, options }: Pick<Asked, 'selection' | 'options'> & { base: Base },
  ) {
    const whole = 'kinds' in selection;
    const wanted: Selection = whole
      ? { kinds: [...selection.kinds, ...copiedKeys.map(({ kind }) => kind)] }
      : { keys: [...selection.keys, ...copiedKeys], bodies: true };
    const at = { workspace, contextId: base.contextId };
    const { state } = await this.readAt(at, base.version, wanted, options);
    const items = [...state.values()];
    const seen = whole && holdsActivity(selection.kinds) ? { activity: activityOf(items) } : {};
    return { before: rebase(base, now.values(), items), seen };
  }

  /**
   * What the rows say, which may be behind: {@link follow} makes a read of it. One statement, so that head and items are
   * of one moment. Older layers do not change, and neither does what a version held: they may be read after it.
   */
  async projected(
    id: ContextId,
    selection: Selection,
    { at, beside }: Rows,
    options?: CallOptions,
  ): Promise<ProjectedSnapshot> {
    const { rows } = await sql<ProjectedRow>`
      select c.*, i.kind, i.key, i.from_version, i.state, i.body, i.sources ${beside ? sql`, ${beside} as beside` : sql``}
      from (select 1) as always
      left join ${this.tables.contexts} c on c.workspace = ${id.workspace} and c.context_id = ${id.contextId}
      left join lateral (${selectedItems(this.tables, selection, at ?? null)}) i
        on c.version > 0 and (c.lineage is null or i.kind <> all(${contentKinds}))`.execute(
      this.db,
    );
    const { head, own, beside: extra } = await parseRows(rows);
    if (!head || head.lineage === null)
      return { head, state: ContextState.from(own), beside: extra };
    const version = Math.min(at ?? head.version, head.version);
    const layered = await readLayered({ db: this.db, tables: this.tables }, id, version, {
      selection,
      readRest: async (rest, missing) =>
        (await this.readAt({ ...id, ...rest }, rest.version, missing, options)).state.values(),
    });
    return { head, state: ContextState.from([...own, ...layered]), beside: extra };
  }

  /**
   * One statement, so that the projector cannot move on between the two answers. `recorded_at` never goes back within
   * a stream: a binary search takes a lookup for every doubling of the history, and no index of its own.
   */
  async #projectedVersionAt(
    id: ContextId,
    time: string,
  ): Promise<{ projected: number; found: number }> {
    const { rows } = await sql<{ projected: number | null; found: number | null }>`
      with recursive bounds(low, high) as (
        select 0, c.version from ${this.tables.contexts} c
        where c.workspace = ${id.workspace} and c.context_id = ${id.contextId}
        union all
        select case when v.is_past then b.middle else b.low end, case when v.is_past then b.high else b.middle - 1 end
        from (select low, high, (low + high + 1) / 2 as middle from bounds where low < high) b
        cross join lateral (
          select recorded_at <= ${time} as is_past from ${this.tables.versions}
          where workspace = ${id.workspace} and context_id = ${id.contextId} and version = b.middle limit 1) v)
      select max(high) as projected, max(low) as found from bounds`.execute(this.db);
    return { projected: rows[0]?.projected ?? 0, found: rows[0]?.found ?? 0 };
  }
}

type ProjectedRow = Readonly<{ version: number | null; kind: string | null; beside?: unknown }>;

/** Without a projected context the joins leave one row of nulls, without an item one row of the head. */
async function parseRows(rows: readonly ProjectedRow[]) {
  const [first] = rows;
  const head = first?.version ? toHead(headRow.parse(first)) : undefined;
  const own = head ? await readItems(rows.filter(({ kind }) => kind !== null)) : [];
  return { head, own, beside: first?.beside };
}

function holdsActivity(kinds: readonly ItemKind[]): boolean {
  return activityKinds.every((kind) => kinds.includes(kind));
}
