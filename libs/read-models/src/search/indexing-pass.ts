import { type StoredEvent } from '#event-sourcing';
import { type ContextId, contextOfStream } from '#shared-context';

import { isRefusedData } from '../projector/project-alone.js';
import { type ReadModelState, findContextsToIndex } from './search-lag.queries.js';
import { indexBatch } from './index-batch.js';
import { type IndexOutcome, type SearchScope, indexContext } from './index-context.js';
import { type LogProgress, passEvents } from './log-progress.js';
import { noteFailure } from './search-progress.js';
import { mergeIndexes } from './search-rows.js';

export type RefusedContext = (context: ContextId, error: unknown) => void;

/** Whether there is nothing to index until the read models change, more at once, or something after a pause. */
export type Remainder = 'nothing' | 'something' | 'more';

/** Contexts taken up after one look. */
const someContexts = 200;
/** Events that one read of the log returns and one transaction indexes. */
const someEvents = 256;
/** The pass after a look waits so many times as long as the look took; the indexer limits the wait. */
const restPerLook = 5;

/** So many events are worth a merge of the indexes: it costs as much for a few. */
const minMerged = 128;

/** Brings search rows nearer to what the read models hold. */
export class IndexingPass {
  /** Events that were indexed since the indexes were merged; a process that ended before may have left as many. */
  #unmerged = minMerged;

  constructor(
    private readonly site: SearchScope,
    private readonly stop: AbortSignal,
    private readonly refused: RefusedContext | undefined,
  ) {}

  /** Indexes the next events of the log, as far as they are projected. */
  async follow(
    from: LogProgress,
    state: ReadModelState,
  ): Promise<Readonly<{ progress: LogProgress; left: Remainder }>> {
    const { store } = this.site;
    const read = await store.readAll({ after: from.position, limit: someEvents });
    const { projected, progress } = passEvents(store, from, read, state);
    for (let at = 0; at < projected.length && !this.stop.aborted; at += someEvents)
      await this.#indexEvents(projected.slice(at, at + someEvents));
    if (read.length === someEvents) return { progress, left: 'more' };
    return { progress, left: projected.length > 0 ? 'something' : 'nothing' };
  }

  /**
   * Indexes contexts that are behind, wherever in the log; some of them. `restMs`: the pause that makes up for looking for them. `isWhole`:
   * whether they were all.
   */
  async indexContextsBehind(): Promise<
    Readonly<{ isWhole: boolean; left: Remainder; restMs: number }>
  > {
    const lookedAt = performance.now();
    const behind = await findContextsToIndex(this.site.db, someContexts);
    const restMs = (performance.now() - lookedAt) * restPerLook;
    const outcomes = await this.#indexAll(behind);
    const isWhole = behind.length < someContexts && !outcomes.has('more');
    const left = behind.length > 0 ? 'something' : 'nothing';
    return { isWhole, left: isWhole || outcomes.has('busy') ? left : 'more', restMs };
  }

  /** Searches are fast again once nothing more is written; while writes go on, PostgreSQL merges now and then. */
  async merge(): Promise<void> {
    if (this.#unmerged < minMerged) return;
    await mergeIndexes(this.site.db);
    this.#unmerged = 0;
  }

  async #indexEvents(events: readonly StoredEvent[]): Promise<void> {
    this.#unmerged += events.length;
    for (const id of await this.#indexTogether(events)) await this.#indexWhole(id);
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
      return await indexContext(this.site, id, this.stop);
    } catch (error) {
      if (this.stop.aborted || !isFault(error)) throw error;
      await noteFailure(this.site.db, id, textOf(error));
      this.refused?.(id, error);
      return 'done';
    }
  }
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
