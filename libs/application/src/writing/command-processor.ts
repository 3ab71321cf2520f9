import { CounterChangedError, type EventStore, VersionConflictError } from '#event-sourcing';
import { type ContextReader } from '#read-models';
import {
  type ContextHead,
  type ContextId,
  type DecodedEvent,
  contextStream,
  itemKinds,
} from '#shared-context';
import { runInSlices } from '#slices';

import { ItemsMissingError, type LoadedKeys } from './loaded-keys.js';
import { type Round, decideRound } from './decide-round.js';
import { type FinalDraft } from './draft.js';
import {
  DecisionInputLoader,
  type LoadedInput,
  type TransformationSource,
} from './decision-input-loader.js';
import { loadedFor } from './loaded-for.js';
import { LostRaces, pauseAfter } from './lost-races.js';
import { type PreparedWrite, firstOf } from './prepared-write.js';
import { SpeculativeSnapshotCache, type StoredRound } from './speculative-snapshot-cache.js';
import { type WriteResult, answer, exhausted, isKeyed, isProven } from './round-answers.js';
import { StreamQueue, type Ticket } from './stream-queue.js';

/** Callbacks for stored writes, lost races and the size of rounds; not events of a stream. */
type WriterEvents = Readonly<{
  /** `head`: after these events. */
  stored?: (head: ContextHead, events: readonly DecodedEvent[]) => void;
  appended?: (round: Readonly<{ writes: number; events: number }>) => void;
  raced?: () => void;
}>;

export type CommandProcessorOptions = Readonly<{
  appendTimeoutMs: number;
  now: () => number;
  events?: WriterEvents;
}>;

/** The input of a round, and its result. */
type Decision = Pick<LoadedInput, 'before' | 'recalled' | 'counter'> &
  Readonly<{ loaded: LoadedKeys; round: Round }>;

/** `appendMs`: the duration of its append; 0 if the round was given up. */
type SettledRound = Readonly<{ round: Round; appendMs: number }>;

/**
 * The only write path: loads the items that the writes need, decides the writes in their order, and stores them in one
 * append at the version on which they were decided. After a lost race it loads and decides again, so that only real
 * conflicts are refused.
 */
export class CommandProcessor {
  readonly #queue = new StreamQueue<PreparedWrite, WriteResult>((_stream, tickets) =>
    this.#settle(tickets),
  );

  readonly #recent: SpeculativeSnapshotCache;
  readonly #loader: DecisionInputLoader;

  constructor(
    private readonly store: EventStore,
    private readonly reader: ContextReader,
    private readonly transformations: TransformationSource,
    private readonly options: CommandProcessorOptions,
  ) {
    this.#recent = new SpeculativeSnapshotCache(options.now);
    const { appendTimeoutMs: timeoutMs } = options;
    const { checksCounters = false } = store;
    const input = { reader, transformations, recent: this.#recent, checksCounters, timeoutMs };
    this.#loader = new DecisionInputLoader(input);
  }

  submit(write: PreparedWrite): Promise<WriteResult> {
    return this.#queue.submit(contextStream(write.id), write);
  }

  async #settle(tickets: readonly Ticket<PreparedWrite, WriteResult>[]): Promise<number> {
    const writes = tickets.map(({ work }) => work);
    const { round, appendMs } = await this.#storeRound(writes);
    round.outcomes.forEach((outcome, at) => answer(tickets[at], outcome, round));
    await pauseAfter(appendMs);
    // If this fails, the next write reads the items itself, and reports the failure.
    await Promise.allSettled([this.#cacheAllItems(firstOf(writes).id)]);
    return round.outcomes.length;
  }

  /** Caches all items of a context that this process writes to repeatedly, so that its next writes read nothing. */
  async #cacheAllItems(id: ContextId): Promise<void> {
    if (!this.#recent.isWorthReading(id)) return;
    const { appendTimeoutMs: timeoutMs } = this.options;
    const selection = { kinds: itemKinds, bodies: false } as const;
    this.#recent.complete(id, await this.reader.read(id, selection, { timeoutMs }));
  }

  async #storeRound(writes: readonly PreparedWrite[]): Promise<SettledRound> {
    const lost = new LostRaces(this.options.appendTimeoutMs);
    for (let hasRecalled = false; ;) {
      const decision = await this.#decide(writes);
      const { round } = decision;
      const appended = performance.now();
      const outcome = await this.#append(writes, decision);
      if (outcome === 'stored') return { round, appendMs: performance.now() - appended };
      this.options.events?.raced?.();
      // The decision used a cached snapshot: read and decide again without counting this as a lost race.
      if (decision.recalled && !hasRecalled) {
        hasRecalled = true;
        continue;
      }
      if (lost.isOver) return { round: exhausted(round, lost.tries), appendMs: 0 };
      await lost.backOff();
    }
  }

  /**
   * The items that a command needs may depend on other items, so each iteration loads more of them. A decision on
   * cached items is used only if the append can prove it; otherwise the writes are decided again on items that are
   * read.
   */
  async #decide(writes: readonly PreparedWrite[]): Promise<Decision> {
    const loaded = await runInSlices(loadedFor(writes));
    for (let mayRecall = true; ;) {
      const input = await this.#loader.load(writes, loaded, mayRecall);
      const { before: snapshot, recalled, transformations } = input;
      const roundInput = { snapshot, loaded, now: this.options.now(), transformations };
      try {
        const round = await runInSlices(decideRound(roundInput, writes));
        if (!recalled || isProven(writes, round)) return { ...input, loaded, round };
        mayRecall = false;
      } catch (error) {
        if (!(error instanceof ItemsMissingError)) throw error;
        loaded.add(error.keys);
      }
    }
  }

  async #append(
    writes: readonly PreparedWrite[],
    { before, loaded, counter, round }: Decision,
  ): Promise<'stored' | 'raced'> {
    const { draft } = round;
    const { appendTimeoutMs: timeoutMs } = this.options;
    if (draft.encoded.length === 0) return 'stored';
    const { id } = firstOf(writes);
    const expected = before.head ? before.head.version : 'no-stream';
    const options = { timeoutMs, counter };
    try {
      const stored = await this.store.append(contextStream(id), draft.encoded, expected, options);
      if (stored.isRepeat && isKeyed(writes, round)) {
        // Another process may have stored the same requests first with other results: decide the round again on what
        // that process has stored.
        this.#recent.forget(id);
        return 'raced';
      }
      this.#remember(writes, { before, loaded, draft }, stored.isRepeat);
      this.#report(writes, draft);
      return 'stored';
    } catch (error) {
      await this.#prepareRetry(id, error);
      return 'raced';
    }
  }

  /** Rethrows any error that is not a lost race. */
  async #prepareRetry(id: ContextId, error: unknown): Promise<void> {
    if (error instanceof CounterChangedError) {
      await this.transformations.find(id.workspace);
      return;
    }
    this.#recent.forget(id);
    if (!(error instanceof VersionConflictError)) throw error;
  }

  #report({ length }: readonly PreparedWrite[], { head, events, encoded }: FinalDraft): void {
    const { events: listeners } = this.options;
    if (head) listeners?.stored?.(head, events);
    listeners?.appended?.({ writes: length, events: encoded.length });
  }

  /**
   * Events of an idempotency key have the same ids in every process. If another process has stored them first, the
   * append reports a repetition. The stored events then have the time of the other process, and so another hash to
   * chain to.
   */
  #remember(
    writes: readonly PreparedWrite[],
    round: StoredRound,
    isRepeat: boolean | undefined,
  ): void {
    const { id } = firstOf(writes);
    const isKeyed = writes.some(({ repeat }) => repeat);
    if (isRepeat ?? isKeyed) this.#recent.forget(id);
    else this.#recent.add(id, round);
  }
}
