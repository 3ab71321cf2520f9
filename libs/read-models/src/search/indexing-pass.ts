import { type EventStore, type Position, type StoredEvent } from '#event-sourcing';

import { type ContextId, contextOfStream } from '../contexts/context-stream.js';
import { isRefusedData } from '../projector/project-alone.js';
import { type ReadModelState, type WrittenBetween, findBehind } from './find-behind.js';
import { indexBatch } from './index-batch.js';
import { type Indexed, type SearchSite, indexContext } from './index-context.js';
import { noteFailure } from './search-place.js';
import { mergeIndexes } from './search-rows.js';

export type RefusedContext = (context: ContextId, error: unknown) => void;

/**
 * How far the log is indexed, by rows of the read model that are known as `rows`. All contexts were looked through at `lookedAt`, in
 * milliseconds of the monotonic clock.
 */
export type Indexing = Readonly<{ rows: string; position: Position | 'start'; lookedAt: number }>;

/**
 * What a pass came to. `left`: whether there is nothing to do until the read models change, or more to do at once, or something new
 * may be there by now. `restMs`: how long the next pass should wait, because this one cost what there is.
 */
export type PassResult = Readonly<{
  indexing: Indexing | undefined;
  left: 'nothing' | 'something' | 'more';
  restMs: number;
}>;

/** Contexts taken up after one look. */
const someContexts = 200;
/** Events of the log that one transaction indexes. */
const someEvents = 256;
/** Looking through all contexts takes a sixth of the time at most, while writes go on. */
const restTimes = 5;
/** A context that was written to so recently is indexed with the log. */
const recentMs = 5_000;

/** So many events are worth a merge of the indexes: it costs as much for a few. */
const leastMerged = 128;

/** Brings search rows nearer to what the read models hold. */
export class IndexingPass {
  /** Events that this process has indexed since it merged the indexes. */
  #unmerged = 0;

  constructor(
    private readonly site: SearchSite,
    private readonly stop: AbortSignal,
    private readonly refused: RefusedContext | undefined,
  ) {}

  /** Indexes the next events of the log that the read models hold. */
  async follow(indexing: Indexing, { positions }: ReadModelState): Promise<PassResult> {
    const { store } = this.site;
    const reached = earliestOf(store, positions);
    const read = await store.readAll({ after: indexing.position, limit: someEvents });
    const events = read.filter(({ position }) => store.comparePositions(position, reached) <= 0);
    const last = events.at(-1);
    if (!last) {
      await this.#merge();
      return { indexing, left: 'nothing', restMs: 0 };
    }
    this.#unmerged += events.length;
    for (const id of await this.#indexTogether(events)) await this.#indexWhole(id);
    const left = events.length === someEvents ? 'more' : 'something';
    return { indexing: { ...indexing, position: last.position }, left, restMs: 0 };
  }

  /**
   * Indexes contexts that are behind, wherever in the log. If all of them were found, the log is followed from where the read models
   * were before, or from where it was followed to.
   */
  async lookThrough(
    { rows, positions }: ReadModelState,
    known: Indexing | undefined,
  ): Promise<PassResult> {
    const { db, store } = this.site;
    const lookedAt = performance.now();
    const behind = await findBehind(db, someContexts, known && recently());
    const restMs = (performance.now() - lookedAt) * restTimes;
    const outcomes = await this.#indexAll(behind);
    if (behind.length === someContexts || outcomes.has('more'))
      return { indexing: known, left: leftOf(outcomes), restMs };
    const position = known?.position ?? earliestOf(store, positions);
    const left = behind.length > 0 || known ? 'something' : 'nothing';
    return { indexing: { rows, position, lookedAt }, left, restMs };
  }

  /** Searches are fast again once nothing more is written; while writes go on, PostgreSQL merges now and then. */
  async #merge(): Promise<void> {
    if (this.#unmerged < leastMerged) return;
    await mergeIndexes(this.site.db);
    this.#unmerged = 0;
  }

  /** Returns the contexts that are to be indexed by themselves: all of them if they cannot be indexed together. */
  async #indexTogether(events: readonly StoredEvent[]): Promise<readonly ContextId[]> {
    try {
      return await indexBatch(this.site, events);
    } catch (error) {
      if (this.stop.aborted || !isFault(error)) throw error;
      const streams = new Set(events.map(({ stream }) => stream));
      return [...streams].flatMap((stream) => contextOfStream(stream) ?? []);
    }
  }

  async #indexAll(contexts: readonly ContextId[]): Promise<ReadonlySet<Indexed>> {
    const outcomes = new Set<Indexed>();
    for (const id of contexts) {
      if (this.stop.aborted) break;
      outcomes.add(await this.#index(id));
      // It may have had any number of events.
      this.#unmerged += leastMerged;
    }
    return outcomes;
  }

  async #indexWhole(id: ContextId): Promise<void> {
    while (!this.stop.aborted && (await this.#index(id)) === 'more');
  }

  async #index(id: ContextId): Promise<Indexed> {
    try {
      return await indexContext(this.site, id, this.stop);
    } catch (error) {
      if (this.stop.aborted || !isFault(error)) throw error;
      await noteFailure(this.site.db, id, textOf(error));
      this.refused?.(id, error);
      return 'done';
    }
  }
}

/** More can be done at once, unless another process is at it. */
function leftOf(outcomes: ReadonlySet<Indexed>): PassResult['left'] {
  return outcomes.has('busy') ? 'something' : 'more';
}

function earliestOf(store: EventStore, positions: ReadModelState['positions']): Position | 'start' {
  const [first = 'start', ...others] = positions;
  return others.reduce(
    (earliest, position) => (store.comparePositions(position, earliest) < 0 ? position : earliest),
    first,
  );
}

/** Clocks of other processes may be ahead by as much; times beyond that do not count as recent. */
function recently(): WrittenBetween {
  const now = Date.now();
  return { from: timeOf(now - recentMs), to: timeOf(now + recentMs) };
}

function timeOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

/** Of what the context holds or of this code, rather than of the moment: what storage fails with has a code. */
function isFault(error: unknown): boolean {
  return isRefusedData(error) || (error instanceof Error && !('code' in error));
}

function textOf(error: unknown): string {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  // PostgreSQL text holds no NUL, and the message may quote user data.
  return text.replaceAll('\0', '�').toWellFormed().slice(0, 2000);
}
