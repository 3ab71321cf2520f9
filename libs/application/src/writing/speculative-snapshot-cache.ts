import { LRUCache } from 'lru-cache';

import { type ContextSnapshot } from '#read-models';
import {
  type ContextHead,
  type ContextId,
  type ItemKey,
  ContextState,
  contextStream,
  replacesWholeState,
  touchedKeys,
} from '#shared-context';

import { type FinalDraft } from './draft.js';
import { type LoadedKeys } from './loaded-keys.js';
import {
  type LatestChanges,
  changesOf,
  latestChangeOf,
  mergedChanges,
  textOf,
  withChanges,
} from './recent-changes.js';

/** A stored round: the snapshot on which it was decided, the keys with which that was loaded, and the result. */
export type StoredRound = Readonly<{
  before: ContextSnapshot;
  loaded: LoadedKeys;
  draft: FinalDraft;
}>;

type RecentContext = Readonly<{
  head: ContextHead;
  /** `changes` has all changes from this version on. */
  since: number;
  changes: LatestChanges;
  /** Whether no other process wrote between the last two rounds, or before the first. */
  soleWriter: boolean;
  /**
   * The number of rounds in a row that this process has stored since it first wrote to the context or last read all of
   * it.
   */
  rounds: number;
  /**
   * Whether `changes` has all items of the context: this process has created or fully read it, and no other process has
   * written since.
   */
  isComplete: boolean;
  storedAt: number;
}>;

const maxStreams = 1_000;
/** Limit for a context if only some of its items are cached. */
const maxItems = 256;
/** Limits for a context of which all items are cached, and for all contexts together. */
const [maxWholeItems, maxItemsInAll] = [20_000, 100_000];
/**
 * After one round in a row for each of so many versions, all items of a context are read: that costs less than those
 * rounds did.
 */
const versionsPerRound = 32;
/**
 * Older entries are checked by a read: after a failover the store may have lost acknowledged events, and other
 * processes may have written since.
 */
const longestMs = 5_000;

/**
 * Caches the results of recent writes of this process, so that the next write to a stream need not read them. An entry
 * is only a guess at the current state: a decision on it must append after the version of the entry, or be made again
 * on a read.
 */
export class SpeculativeSnapshotCache {
  /**
   * By stream. `set` renews an entry, `peek` does not: the entry that is dropped first is the one least recently
   * written, completed or, if only some of its items are cached, recalled.
   */
  readonly #streams = new LRUCache<string, RecentContext>({
    max: maxStreams,
    maxSize: maxItemsInAll,
    sizeCalculation: ({ changes }) => Math.max(changes.size, 1),
  });

  constructor(private readonly now: () => number) {}

  /**
   * The items with these keys, without a read. Undefined unless all items of the context are cached and the content of
   * these items is known.
   */
  recallAll(id: ContextId, keys: LoadedKeys): ContextSnapshot | undefined {
    const recent = this.#streams.peek(contextStream(id));
    if (!recent?.isComplete || this.#isOld(recent)) return undefined;
    const changed = changesOf(recent.changes, keys);
    if (changed.some(({ known }) => !known)) return undefined;
    const items = changed.flatMap(({ item }) => item ?? []);
    return { head: recent.head, state: ContextState.from(items) };
  }

  /** Whether it pays to read all items of the context once, so that its next writes read nothing. */
  isWorthReading(id: ContextId): boolean {
    const recent = this.#streams.peek(contextStream(id));
    if (!recent?.soleWriter || recent.isComplete) return false;
    const { version } = recent.head;
    return version <= maxWholeItems && version <= versionsPerRound * recent.rounds;
  }

  /** Adds all items of a context, read without bodies; newer cached changes remain. */
  complete(id: ContextId, read: ContextSnapshot): void {
    const stream = contextStream(id);
    const recent = this.#streams.peek(stream);
    if (!recent) return;
    const changes = this.#reaches(recent, read) ? mergedChanges(recent.changes, read) : undefined;
    const isComplete = changes !== undefined && changes.size <= maxWholeItems;
    this.#streams.set(stream, { ...recent, rounds: 0, ...(isComplete && { isComplete, changes }) });
  }

  /**
   * The current state as far as this process knows it: these rows and its own later writes. Undefined if it does not
   * know enough.
   */
  recall(id: ContextId, keys: LoadedKeys, rows: ContextSnapshot): ContextSnapshot | undefined {
    const recent = this.#streams.peek(contextStream(id));
    const reached = versionOf(rows);
    if (!recent || !this.#continues(recent, rows)) return undefined;
    if (!recent.isComplete) this.#streams.set(contextStream(id), withoutProjected(recent, reached));
    const requested = changesOf(recent.changes, keys).filter(({ version }) => version > reached);
    if (requested.some(({ known }) => !known)) return undefined;
    return { head: recent.head, state: withChanges(rows.state, requested) };
  }

  /** Whether all changes between the rows and the head are cached. */
  #continues(recent: RecentContext, rows: ContextSnapshot): boolean {
    return recent.soleWriter && !this.#isOld(recent) && this.#reaches(recent, rows);
  }

  #reaches({ head, since }: RecentContext, rows: ContextSnapshot): boolean {
    const reached = versionOf(rows);
    if (reached === head.version) return rows.head?.hash === head.hash;
    return since <= reached + 1 && reached < head.version;
  }

  #isOld({ storedAt }: RecentContext): boolean {
    return this.now() - storedAt > longestMs;
  }

  /**
   * Adds a stored round. Other processes may write at any time, so a guess is useful only after two rounds in a row.
   */
  add(id: ContextId, round: StoredRound): void {
    const stream = contextStream(id);
    const earlier = this.#streams.peek(stream);
    // The changes are modified in place, so the entry is removed and added again with its new size.
    this.#streams.delete(stream);
    const recent = this.#nextEntry(earlier, round);
    if (recent) this.#streams.set(stream, recent);
  }

  /** Undefined for a context whose items come from another context or an earlier version: a fork or a restored one. */
  #nextEntry(earlier: RecentContext | undefined, round: StoredRound): RecentContext | undefined {
    const { head, events } = round.draft;
    if (!head || head.lineage !== null || events.some(replacesWholeState)) return undefined;
    const soleWriter = isSoleWriter(earlier, round.before);
    const before = soleWriter && earlier ? earlier : emptyEntryAfter(round.before);
    const { since, changes, isComplete } = before;
    if (!addChanges({ changes, isComplete }, round)) return undefined;
    const rounds = before.rounds + 1;
    return { head, since, changes, rounds, soleWriter, isComplete, storedAt: this.now() };
  }

  forget(id: ContextId): void {
    this.#streams.delete(contextStream(id));
  }
}

/** Removes the changes that the rows already have. */
function withoutProjected(recent: RecentContext, reached: number): RecentContext {
  for (const [text, { version }] of recent.changes)
    if (version <= reached) recent.changes.delete(text);
  return { ...recent, since: Math.max(recent.since, reached + 1) };
}

/** Adds the changes of the round. False if they exceed the limit. */
function addChanges(
  { changes, isComplete }: Pick<RecentContext, 'changes' | 'isComplete'>,
  { before, loaded, draft }: StoredRound,
): boolean {
  const reached = versionOf(before);
  // Whether the round has folded the item over its previous content.
  const isFolded = (key: ItemKey) => {
    if (loaded.has(key)) return true;
    const earlier = changes.get(textOf(key));
    return isComplete && (!earlier || (earlier.known && earlier.version > reached));
  };
  const limit = isComplete ? maxWholeItems : maxItems;
  for (const event of draft.events)
    for (const key of touchedKeys(event)) {
      changes.set(textOf(key), latestChangeOf(key, event.version, isFolded(key), draft));
      if (changes.size > limit) return false;
    }
  return true;
}

function isSoleWriter(earlier: RecentContext | undefined, { head }: ContextSnapshot): boolean {
  return earlier?.head.hash === head?.hash;
}

function emptyEntryAfter(
  before: ContextSnapshot,
): Pick<RecentContext, 'since' | 'changes' | 'rounds' | 'isComplete'> {
  return { since: versionOf(before) + 1, changes: new Map(), rounds: 0, isComplete: !before.head };
}

function versionOf({ head }: ContextSnapshot): number {
  return head ? head.version : 0;
}
