import { type StoredEvent } from '#event-sourcing';
import { type ContextId, contextOfStream } from '#shared-context';

import { isRefusedData } from '../projector/project-alone.js';
import { type ReadModelState, findContextsToIndex } from './search-lag.queries.js';
import { indexBatch } from './index-batch.js';
import { type IndexOutcome, type SearchScope, indexContext } from './index-context.js';
import { type LogProgress, passEvents } from './log-progress.js';
import { recordFailure } from './search-progress.js';
import { mergeIndexes } from './search-rows.js';

export type RefusedContext = (context: ContextId, error: unknown) => void;

/** The remaining work after a pass. `nothing`: none until the read models change; `something`: work after a pause; `more`: work now. */
export type Remainder = 'nothing' | 'something' | 'more';

/** Maximum contexts indexed after one query for contexts that are behind. */
const someContexts = 200;
/** Maximum events that one read of the log returns and one transaction indexes. */
const someEvents = 256;
/**
 * The pause after a query for contexts that are behind, as a multiple of the query's duration; the indexer limits it.
 */
const restPerQuery = 5;

/** Minimum events that justify a merge of the indexes, since a merge of a few costs as much. */
const minMerged = 128;

/** Updates search rows from the read models. */
export class IndexingPass {
  /** Events indexed since the last merge; at the start, as many as a previous process may have left unmerged. */
  #unmerged = minMerged;

  constructor(
    private readonly scope: SearchScope,
    private readonly stop: AbortSignal,
    private readonly refused: RefusedContext | undefined,
  ) {}

  /** Indexes the next events of the log, as far as they are projected. */
  async follow(
    from: LogProgress,
    state: ReadModelState,
  ): Promise<Readonly<{ progress: LogProgress; left: Remainder }>> {
    const { store } = this.scope;
    const read = await store.readAll({ after: from.position, limit: someEvents });
    const { projected, progress } = passEvents(store, from, read, state);
    for (let at = 0; at < projected.length && !this.stop.aborted; at += someEvents)
      await this.#indexEvents(projected.slice(at, at + someEvents));
    if (read.length === someEvents) return { progress, left: 'more' };
    return { progress, left: projected.length > 0 ? 'something' : 'nothing' };
  }

  /**
   * Indexes some of the contexts that are behind, wherever in the log. `restMs`: the pause that compensates for the
   * query. `isComplete`: whether no other context was behind.
   */
  async indexContextsBehind(): Promise<
    Readonly<{ isComplete: boolean; left: Remainder; restMs: number }>
  > {
    const startedAt = performance.now();
    const behind = await findContextsToIndex(this.scope.db, someContexts);
    const restMs = (performance.now() - startedAt) * restPerQuery;
    const outcomes = await this.#indexAll(behind);
    const isComplete = behind.length < someContexts && !outcomes.has('more');
    const left = behind.length > 0 ? 'something' : 'nothing';
    return { isComplete, left: isComplete || outcomes.has('busy') ? left : 'more', restMs };
  }

  /**
   * Merges the pending lists of the indexes, so that searches are fast after the last write; during writes, PostgreSQL
   * merges from time to time.
   */
  async merge(): Promise<void> {
    if (this.#unmerged < minMerged) return;
    await mergeIndexes(this.scope.db);
    this.#unmerged = 0;
  }

  async #indexEvents(events: readonly StoredEvent[]): Promise<void> {
    this.#unmerged += events.length;
    for (const id of await this.#indexTogether(events)) await this.#indexWhole(id);
  }

  /** Returns the contexts that must be indexed separately: all of them if PostgreSQL or this code rejects the batch. */
  async #indexTogether(events: readonly StoredEvent[]): Promise<readonly ContextId[]> {
    try {
      return await indexBatch(this.scope, events);
    } catch (error) {
      if (this.stop.aborted || !isFault(error)) throw error;
      const streams = new Set(events.map(({ stream }) => stream));
      return [...streams].flatMap((stream) => contextOfStream(stream) ?? []);
    }
  }

  async #indexAll(contexts: readonly ContextId[]): Promise<ReadonlySet<IndexOutcome>> {
    const outcomes = new Set<IndexOutcome>();
    for (const id of contexts) {
      if (this.stop.aborted) break;
      outcomes.add(await this.#index(id));
      // It may have had any number of events.
      this.#unmerged += minMerged;
    }
    return outcomes;
  }

  async #indexWhole(id: ContextId): Promise<void> {
    while (!this.stop.aborted && (await this.#index(id)) === 'more');
  }

  async #index(id: ContextId): Promise<IndexOutcome> {
    try {
      return await indexContext(this.scope, id, this.stop);
    } catch (error) {
      if (this.stop.aborted || !isFault(error)) throw error;
      await recordFailure(this.scope.db, id, textOf(error));
      this.refused?.(id, error);
      return 'done';
    }
  }
}

/** Whether the data or this code caused the error; transient errors of storage have other codes. */
function isFault(error: unknown): boolean {
  return isRefusedData(error) || (error instanceof Error && !('code' in error));
}

function textOf(error: unknown): string {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  // PostgreSQL text cannot hold NUL, and the message may quote user data.
  return text.replaceAll('\0', '�').toWellFormed().slice(0, 2000);
}
