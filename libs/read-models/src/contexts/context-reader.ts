import { type Kysely } from 'kysely';

import { type Database } from '#database';
import { type CallOptions, type EventStore } from '#event-sourcing';
import {
  type Base,
  type ContextHead,
  type ContextId,
  type DecodedEvent,
  ContextState,
  activityOf,
  activityOnBase,
  advanceHead,
  baseOf,
  contextStream,
  decodeEvent,
  foldEvent,
  rebase,
} from '#shared-context';
import { Slice } from '#slices';

import { type ReadModelTables, liveTables } from '../tables.js';
import { findHeadAt } from './head-at.queries.js';
import { type Selection, holdsActivity, withCopied } from './item-selection.js';
import { readLayered } from './layered-items.js';
import { countLinks } from './layers.js';
import { type RowOptions, findProjectedRows } from './projected-rows.js';
import { packTouched } from './packed-body.js';
import { RestoredStates, isInTail } from './restored-states.js';
import { findVersionAt } from './version-at.queries.js';

/** A context at one version; `head` is undefined if there is none. */
export type ContextSnapshot = Readonly<{ head: ContextHead | undefined; state: ContextState }>;

/** What the rows by themselves say; `beside` is what was asked for in the same statement. */
type ProjectedSnapshot = ContextSnapshot & Readonly<{ beside: unknown }>;

/** Versions behind `after`, up to `until`; `first`: how many of them are read at first. */
type TailRange = Readonly<{ after: number; until?: number; first?: number }>;

type ReadRequest = Readonly<{
  id: ContextId;
  selection: Selection;
  until: number;
  options: CallOptions | undefined;
}>;

type InTail = ReadRequest & Readonly<{ restored: RestoredStates }>;

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

  /** The context now. Throws UndecodableEventError if the tail holds an event this code cannot read. */
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

  /** The current version; 0 if there is no context. */
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
    const { projected, found } = await findVersionAt(this.db, this.tables, id, time);
    if (found < projected) return found;
    let version = found;
    for await (const event of this.tail(id, { after: projected }, options)) {
      if (event.recordedAt > time) break;
      version = event.version;
    }
    return version;
  }

  /** The events of a context from a version on, at most `limit` of them. */
  async events(id: ContextId, from: number, limit: number): Promise<DecodedEvent[]> {
    return (await this.store.readStream(contextStream(id), { from, limit })).map(decodeEvent);
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
    const slice = new Slice();
    let from = after + 1;
    for (let size = first; from <= until; size *= 2) {
      const limit = Math.min(size, longestPage, until - from + 1);
      const page = await this.store.readStream(contextStream(id), { from, limit }, options);
      for (const event of page) {
        yield event;
        if (slice.isOver) await slice.pause();
      }
      if (page.length < limit) return;
      from += page.length;
    }
  }

  async #advance(
    asked: ReadRequest,
    from: ContextSnapshot,
    restored = RestoredStates.unknown,
  ): Promise<ContextSnapshot> {
    const { id, selection, until, options } = asked;
    let { head, state } = from;
    const after = head?.version ?? 0;
    restored.reached(after, state);
    for await (const event of this.tail(id, { after, until }, options)) {
      const base = baseOf(id.contextId, event);
      if (base && restored.lacks(base, after))
        return this.#advance(asked, from, await this.#restoredIn(asked, after));
      const { before, seen } = base
        ? await this.#rebase({ head, state }, base, { ...asked, restored })
        : { before: state, seen: {} };
      const changes = foldEvent(event, before.lookup);
      head = { ...advanceHead(id, head, event, { lookup: before.lookup, changes }), ...seen };
      state = packedAs(selection, before.apply(event, changes), event);
      restored.reached(event.version, state);
    }
    return { head, state };
  }

  async #restoredIn({ id, until, options }: ReadRequest, after: number): Promise<RestoredStates> {
    const versions: number[] = [];
    for await (const stored of this.storedTail(id, { after, until }, options)) {
      if (stored.type !== 'ContextRestored') continue;
      const base = baseOf(id.contextId, decodeEvent(stored));
      if (base && isInTail(base, after)) versions.push(base.version);
    }
    return RestoredStates.of(versions);
  }

  /** What an event with a base is folded over; `seen` is its activity, where everything it follows from was asked for. */
  async #rebase({ head, state }: ContextSnapshot, base: Base, asked: InTail) {
    const { state: under, head: its = head } = await this.#atBase(base, asked);
    const items = [...under.values()];
    const atBase = () => activityOf(items, its?.activity.counted);
    const seen = holdsActivity(asked.selection)
      ? { activity: activityOnBase(base, head?.activity, atBase()) }
      : {};
    return { before: rebase(base, state.values(), items), seen };
  }

  /** A restore takes nothing but what was asked for; a fork copies what its source says of itself, too. */
  async #atBase(
    base: Base,
    { id: { workspace }, selection, options, restored }: InTail,
  ): Promise<Partial<ContextSnapshot> & Pick<ContextSnapshot, 'state'>> {
    const known = restored.at(base);
    if (known) return { state: known };
    const at = { workspace, contextId: base.contextId };
    return this.readAt(at, base.version, withCopied(selection), options);
  }

  /**
   * What the rows say, which may be behind: {@link follow} makes a read of it. One statement, so that head and items are
   * of one moment. Older layers do not change, and neither does what a version held: they may be read after it.
   */
  async projected(
    id: ContextId,
    selection: Selection,
    asked: RowOptions,
    options?: CallOptions,
  ): Promise<ProjectedSnapshot> {
    const rows = { db: this.db, tables: this.tables };
    const { head, own, beside } = await findProjectedRows(rows, id, selection, asked);
    if (!head || head.lineage === null) return { head, state: ContextState.from(own), beside };
    const version = Math.min(asked.at ?? head.version, head.version);
    const layered = await readLayered(rows, id, version, {
      selection,
      readRest: async (rest, missing) =>
        (await this.readAt({ ...id, ...rest }, rest.version, missing, options)).state.values(),
    });
    return { head, state: ContextState.from([...own, ...layered]), beside };
  }
}

function packedAs({ bodies }: Selection, state: ContextState, event: DecodedEvent): ContextState {
  return bodies === 'packed' ? packTouched(state, event) : state;
}
