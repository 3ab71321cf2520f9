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
  leftOf,
  mergedChanges,
  textOf,
  withChanges,
} from './recent-changes.js';

/** A round that was stored: what it was decided on, with which keys, and what it left behind. */
export type StoredRound = Readonly<{
  before: ContextSnapshot;
  loaded: LoadedKeys;
  draft: FinalDraft;
}>;

type RecentContext = Readonly<{
  head: ContextHead;
  /** What every version from here on changed is in `changes`. */
  since: number;
  changes: LatestChanges;
  /** Nobody else wrote between the last two rounds, or before the first. */
  soleWriter: boolean;
  /** How many rounds in a row this process has stored, since it first wrote to the context or last read it as a whole. */
  rounds: number;
  /** Whether `changes` has all items of the context: nobody else wrote since this process has created or read it. */
  whole: boolean;
  storedAt: number;
}>;

const maxStreams = 1_000;
/** Of a context that this process knows in part. */
const maxItems = 256;
/** Of one that it knows as a whole, and of all contexts together. */
const [maxWholeItems, maxItemsInAll] = [20_000, 100_000];
/** After one round in a row for so many versions, a context is read as a whole: that costs less than those rounds did. */
const versionsPerRound = 32;
/**
 * Older memory is checked by a read: the store may have lost what it acknowledged, in a failover, and others written since.
 */
const longestMs = 5_000;

/**
 * What this process has stored last, so that the next write to a stream need not read it back. Only a guess at what there
 * is: whoever decides on it must append behind the version it speaks of, or decide again on what is read.
 */
export class SpeculativeSnapshotCache {
  /**
   * By stream. `set` renews an entry, `peek` does not: the context that is dropped first is the one least recently written,
   * completed or, if it is known in part, recalled.
   */
  readonly #streams = new LRUCache<string, RecentContext>({
    max: maxStreams,
    maxSize: maxItemsInAll,
    sizeCalculation: ({ changes }) => Math.max(changes.size, 1),
  });

  constructor(private readonly now: () => number) {}

  /**
   * The items that these keys name, without any read. Undefined unless all items of the context are remembered, and what
   * these are like.
   */
  recallWhole(id: ContextId, keys: LoadedKeys): ContextSnapshot | undefined {
    const recent = this.#streams.peek(contextStream(id));
    if (!recent?.whole || this.#isOld(recent)) return undefined;
    const changed = changesOf(recent.changes, keys);
    if (changed.some(({ known }) => !known)) return undefined;
    const items = changed.flatMap(({ item }) => item ?? []);
    return { head: recent.head, state: ContextState.from(items) };
  }

  /** Whether the next writes to the context would be decided without a read if all its items were read once. */
  isWorthReading(id: ContextId): boolean {
    const recent = this.#streams.peek(contextStream(id));
    if (!recent?.soleWriter || recent.whole) return false;
    const { version } = recent.head;
    return version <= maxWholeItems && version <= versionsPerRound * recent.rounds;
  }

  /** Adds all items of a context, read without bodies; those that it knows newer changes of remain as they are. */
  complete(id: ContextId, read: ContextSnapshot): void {
    const stream = contextStream(id);
    const recent = this.#streams.peek(stream);
    if (!recent) return;
    const changes = this.#reaches(recent, read) ? mergedChanges(recent.changes, read) : undefined;
    const whole = changes !== undefined && changes.size <= maxWholeItems;
    this.#streams.set(stream, { ...recent, rounds: 0, ...(whole && { whole, changes }) });
  }

  /** What there is by all this process knows: these rows, and its own writes behind them. Undefined if it cannot know. */
  recall(id: ContextId, keys: LoadedKeys, rows: ContextSnapshot): ContextSnapshot | undefined {
    const recent = this.#streams.peek(contextStream(id));
    const reached = versionOf(rows);
    if (!recent || !this.#continues(recent, rows)) return undefined;
    if (!recent.whole) this.#streams.set(contextStream(id), behind(recent, reached));
    const wanted = changesOf(recent.changes, keys).filter(({ version }) => version > reached);
    if (wanted.some(({ known }) => !known)) return undefined;
    return { head: recent.head, state: withChanges(rows.state, wanted) };
  }

  /** Whether all that lies between the rows and the head is remembered. */
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

  /** Two rounds in a row tell that nobody else is at it: a guess would mostly be wrong then. */
  learn(id: ContextId, round: StoredRound): void {
    const stream = contextStream(id);
    const earlier = this.#streams.peek(stream);
    // Its items are changed in place, and counted anew.
    this.#streams.delete(stream);
    const recent = this.#after(earlier, round);
    if (recent) this.#streams.set(stream, recent);
  }

  /** Undefined for a context whose items come from another context or an earlier version: a fork or a restored one. */
  #after(earlier: RecentContext | undefined, round: StoredRound): RecentContext | undefined {
    const { head, events } = round.draft;
    if (!head || head.lineage !== null || events.some(replacesWholeState)) return undefined;
    const soleWriter = isSoleWriter(earlier, round.before);
    const before = soleWriter && earlier ? earlier : startingBehind(round.before);
    const { since, changes, whole } = before;
    if (!note({ changes, whole }, round)) return undefined;
    const rounds = before.rounds + 1;
    return { head, since, changes, rounds, soleWriter, whole, storedAt: this.now() };
  }

  forget(id: ContextId): void {
    this.#streams.delete(contextStream(id));
  }
}

/** Without what the rows have reached by now: they hold it. */
function behind(recent: RecentContext, reached: number): RecentContext {
  for (const [text, { version }] of recent.changes)
    if (version <= reached) recent.changes.delete(text);
  return { ...recent, since: Math.max(recent.since, reached + 1) };
}

/** Adds what the round has changed. False if these are more items than may be remembered. */
function note(
  { changes, whole }: Pick<RecentContext, 'changes' | 'whole'>,
  { before, loaded, draft }: StoredRound,
): boolean {
  const reached = versionOf(before);
  // Whether the round has folded the item over what it was.
  const isFolded = (key: ItemKey) => {
    if (loaded.has(key)) return true;
    const earlier = changes.get(textOf(key));
    return whole && (!earlier || (earlier.known && earlier.version > reached));
  };
  const most = whole ? maxWholeItems : maxItems;
  for (const event of draft.events)
    for (const key of touchedKeys(event)) {
      changes.set(textOf(key), leftOf(key, event.version, isFolded(key), draft));
      if (changes.size > most) return false;
    }
  return true;
}

function isSoleWriter(earlier: RecentContext | undefined, { head }: ContextSnapshot): boolean {
  return earlier?.head.hash === head?.hash;
}

function startingBehind(
  before: ContextSnapshot,
): Pick<RecentContext, 'since' | 'changes' | 'rounds' | 'whole'> {
  return { since: versionOf(before) + 1, changes: new Map(), rounds: 0, whole: !before.head };
}

function versionOf({ head }: ContextSnapshot): number {
  return head ? head.version : 0;
}
