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
  type Loaded,
  type TransformationSource,
} from './decision-input-loader.js';
import { loadedFor } from './loaded-for.js';
import { LostRaces, pauseAfter } from './lost-races.js';
import { type PreparedWrite, firstOf } from './prepared-write.js';
import { SpeculativeSnapshotCache, type StoredRound } from './speculative-snapshot-cache.js';
import { type Written, answer, exhausted, isKeyed, isProven } from './round-answers.js';
import { StreamQueue, type Ticket } from './stream-queue.js';

/** What the writer reports of its work: what it has stored, lost races and the size of rounds. */
type WriterEvents = Readonly<{
  /** `head`: as the events have left it. */
  stored?: (head: ContextHead, events: readonly DecodedEvent[]) => void;
  appended?: (round: Readonly<{ writes: number; events: number }>) => void;
  raced?: () => void;
}>;

export type CommandProcessorOptions = Readonly<{
  appendTimeoutMs: number;
  now: () => number;
  events?: WriterEvents;
}>;

/** Everything a round was decided on, and what came of it. */
type Decision = Pick<Loaded, 'before' | 'recalled' | 'counter'> &
  Readonly<{ loaded: LoadedKeys; round: Round }>;

/** `appendMs`: how long its append took, 0 if it was given up. */
type SettledRound = Readonly<{ round: Round; appendMs: number }>;

/**
 * The one write path: load what the writes ask for, decide them in their order, store them in one append with the
 * version they were decided on. A lost race loads and decides again, so only what truly collides is refused.
 */
export class CommandProcessor {
  readonly #queue = new StreamQueue<PreparedWrite, Written>((_stream, tickets) =>
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

  submit(write: PreparedWrite): Promise<Written> {
    return this.#queue.submit(contextStream(write.id), write);
  }

  async #settle(tickets: readonly Ticket<PreparedWrite, Written>[]): Promise<number> {
    const writes = tickets.map(({ work }) => work);
    const { round, appendMs } = await this.#storeRound(writes);
    round.outcomes.forEach((outcome, at) => answer(tickets[at], outcome, round));
    await pauseAfter(appendMs);
    // If that fails, the next write reads what it needs, and reports the failure.
    await Promise.allSettled([this.#readWhole(firstOf(writes).id)]);
    return round.outcomes.length;
  }

  /** All items of a context that this process keeps writing to, so that its next writes read nothing. */
  async #readWhole(id: ContextId): Promise<void> {
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
      // What was only remembered is looked at: nobody else has won yet.
      if (decision.recalled && !hasRecalled) {
        hasRecalled = true;
        continue;
      }
      if (lost.isOver) return { round: exhausted(round, lost.tries), appendMs: 0 };
      await lost.backOff();
    }
  }

  /**
   * Which items a command looks at may depend on others: each time round, more of them are known. What is remembered
   * decides only writes that are then stored; any other answer follows from what is read.
   */
  async #decide(writes: readonly PreparedWrite[]): Promise<Decision> {
    const loaded = await runInSlices(loadedFor(writes));
    for (let mayRecall = true; ;) {
      const input = await this.#loader.load(writes, loaded, mayRecall);
      const { before: snapshot, recalled, transformations } = input;
      const given = { snapshot, loaded, now: this.options.now(), transformations };
      try {
        const round = await runInSlices(decideRound(given, writes));
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
        // Another process may have stored the same requests first and decided them differently: the round is decided
        // again, on what that process has stored.
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
   * Events of a key have the same ids in every process: if another one has stored them first, an append finds them and
   * reports that they are there. Their time, and so the hash to chain to, is then the other's.
   */
  #remember(
    writes: readonly PreparedWrite[],
    round: StoredRound,
    isRepeat: boolean | undefined,
  ): void {
    const { id } = firstOf(writes);
    const isKeyed = writes.some(({ repeat }) => repeat);
    if (isRepeat ?? isKeyed) this.#recent.forget(id);
    else this.#recent.learn(id, round);
  }
}
