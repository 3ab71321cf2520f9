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

/** A context at one version; `head` is undefined if the context does not exist. */
export type ContextSnapshot = Readonly<{ head: ContextHead | undefined; state: ContextState }>;

/** The content of the rows alone; `scalar` is the value that was requested in the same statement. */
type ProjectedSnapshot = ContextSnapshot & Readonly<{ scalar: unknown }>;

/** Versions after `after`, up to `until`; `first` is the size of the first page. */
type TailRange = Readonly<{ after: number; until?: number; first?: number }>;

type ReadRequest = Readonly<{
  id: ContextId;
  selection: Selection;
  until: number;
  options: CallOptions | undefined;
}>;

type TailRequest = ReadRequest & Readonly<{ restored: RestoredStates }>;

const firstPage = 32;
/** An event can have a megabyte, which bounds the events of a page. */
const maxPage = 128;

/**
 * Reads one context at its current version: the rows of the projection, and the events after them (the tail), folded by
 * the same functions that wrote the rows. Correct while the projection lags or is stopped, and cheap while it keeps up.
 */
export class ContextReader {
  constructor(
    private readonly db: Kysely<Database>,
    private readonly store: EventStore,
    private readonly tables: ReadModelTables = liveTables,
  ) {}

  /** Reads the current version. Throws UndecodableEventError if the tail holds an event that this code cannot read. */
  async read(id: ContextId, selection: Selection, options?: CallOptions): Promise<ContextSnapshot> {
    return this.catchUp(
      id,
      selection,
      await this.readProjectedRows(id, selection, {}, options),
      options,
    );
  }

  /** Applies the events after an earlier snapshot. */
  catchUp(
    id: ContextId,
    selection: Selection,
    from: ContextSnapshot,
    options?: CallOptions,
  ): Promise<ContextSnapshot> {
    return this.#advance({ id, selection, until: Number.MAX_SAFE_INTEGER, options }, from);
  }

  /** The context at `version`, which must not be greater than its current version. */
  async readAt(
    id: ContextId,
    version: number,
    selection: Selection,
    options?: CallOptions,
  ): Promise<ContextSnapshot> {
    const projected = await this.readProjectedRows(id, selection, { at: version }, options);
    if (projected.head && projected.head.version >= version) {
      const head = await findHeadAt(this.db, this.tables, projected.head, version);
      // Without a head, the rows were replaced by older ones between the two statements.
      return head ? { state: projected.state, head } : this.readAt(id, version, selection, options);
    }
    return this.#advance({ id, selection, until: version, options }, projected);
  }

  /** The current version; 0 if the context does not exist. */
  async version(id: ContextId, options?: CallOptions): Promise<number> {
    const [newest] = await this.store.readStream(
      contextStream(id),
      { direction: 'backwards', limit: 1 },
      options,
    );
    return newest?.version ?? 0;
  }

  /** How many restores and forks a version depends on, directly or through others, as far as the rows have reached. */
  depth(id: ContextId, version: number): Promise<number> {
    return countLinks(this.db, this.tables, id, version);
  }

  /**
   * The newest version recorded at or before `time` (RFC 3339, UTC, milliseconds); 0 if `time` is before the first
   * version.
   */
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

  /** At most `limit` events of a context, starting at version `from`. */
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

  /** Reads `first` events and doubles the page each time: most tails are short, and events may be large. */
  async *storedTail(id: ContextId, range: TailRange, options?: CallOptions) {
    const { after, until = Number.MAX_SAFE_INTEGER, first = firstPage } = range;
    const slice = new Slice();
    let from = after + 1;
    for (let size = first; from <= until; size *= 2) {
      const limit = Math.min(size, maxPage, until - from + 1);
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
    request: ReadRequest,
    from: ContextSnapshot,
    restored = RestoredStates.unknown,
  ): Promise<ContextSnapshot> {
    const { id, selection, until, options } = request;
    let { head, state } = from;
    const after = head?.version ?? 0;
    restored.reached(after, state);
    for await (const event of this.tail(id, { after, until }, options)) {
      const base = baseOf(id.contextId, event);
      if (base && restored.lacks(base, after))
        return this.#advance(request, from, await this.#statesToRestore(request, after));
      const { before, headChanges } = base
        ? await this.#rebase({ head, state }, base, { ...request, restored })
        : { before: state, headChanges: {} };
      const changes = foldEvent(event, before.lookup);
      head = {
        ...advanceHead(id, head, event, { lookup: before.lookup, changes }),
        ...headChanges,
      };
      state = packedAs(selection, before.apply(event, changes), event);
      restored.reached(event.version, state);
    }
    return { head, state };
  }

  async #statesToRestore(
    { id, until, options }: ReadRequest,
    after: number,
  ): Promise<RestoredStates> {
    const versions: number[] = [];
    for await (const stored of this.storedTail(id, { after, until }, options)) {
      if (stored.type !== 'ContextRestored') continue;
      const base = baseOf(id.contextId, decodeEvent(stored));
      if (base && isInTail(base, after)) versions.push(base.version);
    }
    return RestoredStates.of(versions);
  }

  /**
   * The state that an event with a base is folded over, and, if the selection includes all items that activity depends
   * on, the activity.
   */
  async #rebase({ head, state }: ContextSnapshot, base: Base, request: TailRequest) {
    const { state: baseState, head: baseHead = head } = await this.#atBase(base, request);
    const items = [...baseState.values()];
    const atBase = () => activityOf(items, baseHead?.activity.counted);
    const headChanges = holdsActivity(request.selection)
      ? { activity: activityOnBase(base, head?.activity, atBase()) }
      : {};
    return { before: rebase(base, state.values(), items), headChanges };
  }

  /** A restore needs the selected items of its base; a fork also copies facts about its source. */
  async #atBase(
    base: Base,
    { id: { workspace }, selection, options, restored }: TailRequest,
  ): Promise<Partial<ContextSnapshot> & Pick<ContextSnapshot, 'state'>> {
    const known = restored.at(base);
    if (known) return { state: known };
    const at = { workspace, contextId: base.contextId };
    return this.readAt(at, base.version, withCopied(selection), options);
  }

  /**
   * The content of the rows, which may lag: {@link catchUp} completes the read. Head and items come from one statement,
   * so that they belong to the same version. Older layers and past versions never change, so that they may be read
   * afterwards.
   */
  async readProjectedRows(
    id: ContextId,
    selection: Selection,
    request: RowOptions,
    options?: CallOptions,
  ): Promise<ProjectedSnapshot> {
    const rows = { db: this.db, tables: this.tables };
    const { head, own, scalar } = await findProjectedRows(rows, id, selection, request);
    if (!head || head.lineage === null) return { head, state: ContextState.from(own), scalar };
    const version = Math.min(request.at ?? head.version, head.version);
    const layered = await readLayered(rows, id, version, {
      selection,
      readRest: async (rest, missing) =>
        (await this.readAt({ ...id, ...rest }, rest.version, missing, options)).state.values(),
    });
    return { head, state: ContextState.from([...own, ...layered]), scalar };
  }
}

function packedAs({ bodies }: Selection, state: ContextState, event: DecodedEvent): ContextState {
  return bodies === 'packed' ? packTouched(state, event) : state;
}
