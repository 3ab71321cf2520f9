import { type FoldedContext, type LogAudit, type ProjectionRows } from '#invariants';

import { type EventStore, type Position, type StoredEvent } from '#event-sourcing';
import { type ProjectedContext, ContextFold, compareLines, streamEvents } from '#read-models';
import { type Base, type ContextId, type Item, contextStream, foldStream } from '#shared-context';

import { type TableDigests } from './table-digests.js';

/** Small, because events may be large. */
const pageSize = 200;

type Findings = Readonly<{ log: LogAudit; rows: ProjectionRows; digests: TableDigests }>;

type FoldProgress = { fold: ContextFold; reached: number; failure: string | null };

/** Reads every stream once, for the invariants of the log and for the comparison of its fold with the rows. */
export class StreamWalk {
  streams = 0;
  events = 0;
  lag = 0;

  constructor(
    private readonly store: EventStore,
    private readonly findings: Findings,
  ) {}

  async followContext(id: ContextId, projected: ProjectedContext): Promise<void> {
    const stream = contextStream(id);
    const foldBase = this.#foldBases(id);
    const folded: FoldProgress = { fold: new ContextFold(id, foldBase), reached: 0, failure: null };
    const before = this.events;
    for await (const events of this.#read(stream)) await this.#fold(events, projected, folded);
    const events = this.events - before;
    this.lag += Math.max(events - projected.version, 0);
    this.findings.rows.take(compare(stream, { projected, folded, events }));
    this.findings.digests.add(projected.lines, folded.fold.lines());
  }

  /** Reads a stream that is not a context and has no rows. */
  async follow(stream: string): Promise<void> {
    for await (const events of this.#read(stream)) void events;
  }

  /** Caches the last base, because contexts are often restored to the same version repeatedly. */
  #foldBases({ workspace }: ContextId): (base: Base) => Promise<readonly Item[]> {
    let last: Readonly<{ contextId: string; version: number; items: readonly Item[] }> | undefined;
    return async ({ contextId, version }) => {
      if (last?.contextId !== contextId || last.version !== version)
        last = {
          contextId,
          version,
          items: await foldStream(streamEvents(this.store), { workspace, contextId }, version),
        };
      return last.items;
    };
  }

  async *#read(stream: string): AsyncGenerator<readonly StoredEvent[]> {
    this.streams++;
    for (let from = 1; ;) {
      const events = await this.store.readStream(stream, { from, limit: pageSize });
      this.findings.log.take(stream, events);
      this.events += events.length;
      yield events;
      if (events.length < pageSize) break;
      from = (events.at(-1)?.version ?? from) + 1;
    }
    this.findings.log.finish(stream);
  }

  /** Folds up to the version of the rows; later events are not applied to the rows yet. */
  async #fold(
    events: readonly StoredEvent[],
    projected: ProjectedContext,
    folded: FoldProgress,
  ): Promise<void> {
    const { checkpoint, version } = projected;
    // The cast is safe: the checkpoint is an unmodified position of this store.
    const limit = checkpoint === null ? 'start' : (checkpoint as Position);
    const passed = events.filter(
      ({ position }) => this.store.comparePositions(position, limit) <= 0,
    );
    folded.reached = passed.at(-1)?.version ?? folded.reached;
    if (folded.failure !== null) return;
    try {
      await folded.fold.take(events.filter((event) => event.version <= version));
    } catch (error) {
      folded.failure = error instanceof Error ? error.message : String(error);
    }
  }
}

type ContextToCheck = Readonly<{
  projected: ProjectedContext;
  folded: FoldProgress;
  events: number;
}>;

function compare(context: string, checked: ContextToCheck): FoldedContext {
  return { context, events: checked.folded.fold.version, differs: differenceOf(checked) };
}

function differenceOf({ projected, folded, events }: ContextToCheck): string | null {
  const { version, quarantinedAt } = projected;
  if (folded.failure !== null)
    return `the log does not fold to version ${version}: ${folded.failure}`;
  if (version > events) return `the rows are at version ${version}, but the log ends at ${events}`;
  if (quarantinedAt === null && version < folded.reached)
    return `the rows are at version ${version}, but their checkpoint is after version ${folded.reached}`;
  return compareLines(projected.lines, folded.fold.lines());
}
