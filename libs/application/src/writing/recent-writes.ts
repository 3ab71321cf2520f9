import {
  type ContextHead,
  type ContextId,
  type ContextSnapshot,
  contextStream,
} from '#read-models';
import {
  ContextState,
  type Item,
  type ItemKey,
  isSweeping,
  itemNeedsBody,
  touchedKeys,
} from '#shared-context';

import { type LoadedKeys } from './loaded-keys.js';
import { type FinalDraft } from './draft.js';

/** A round that was stored: what it was decided on, with which keys, and what it left behind. */
export type StoredRound = Readonly<{
  before: ContextSnapshot;
  loaded: LoadedKeys;
  draft: FinalDraft;
}>;

/** What a change left: the item, nothing where it is gone, or something that this process does not know. */
type LatestChange = Readonly<{
  key: ItemKey;
  version: number;
  known: boolean;
  item: Item | undefined;
}>;

type RecentContext = Readonly<{
  head: ContextHead;
  /** What every version from here on changed is in `left`. */
  since: number;
  left: Map<string, LatestChange>;
  /** Nobody else wrote between the last two rounds, or before the first. */
  alone: boolean;
  /** Whether `left` has all items of the context: this process has created it, and nobody else wrote since. */
  whole: boolean;
  at: number;
}>;

const mostStreams = 1_000;
/** Of a context that this process knows in part. */
const mostItems = 256;
/** Of one that it knows as a whole, and of all contexts together. */
const [mostWholeItems, mostItemsInAll] = [20_000, 100_000];
/** Nobody waits so long for the read models, and what is older than this may as well be read. */
const longestMs = 5_000;

/**
 * What this process has stored last, so that the next write to a stream need not read it back. Only a guess at what there
 * is: whoever decides on it must append behind the version it speaks of, or decide again on what is read.
 */
export class RecentWrites {
  readonly #streams = new Map<string, RecentContext>();
  #items = 0;

  constructor(private readonly now: () => number) {}

  /** Items of a context that this process knows as a whole. Undefined of any other, and if it does not know one of these. */
  recallWhole(id: ContextId, keys: LoadedKeys): ContextSnapshot | undefined {
    const recent = this.#streams.get(contextStream(id));
    if (!recent?.whole) return undefined;
    const items: Item[] = [];
    for (const key of keys.all()) {
      const change = recent.left.get(textOf(key));
      if (change && !change.known) return undefined;
      if (change?.item) items.push(change.item);
    }
    return { head: recent.head, state: ContextState.from(items) };
  }

  /** What there is by all this process knows: these rows, and its own writes behind them. Undefined if it cannot know. */
  recall(id: ContextId, keys: LoadedKeys, rows: ContextSnapshot): ContextSnapshot | undefined {
    const recent = this.#streams.get(contextStream(id));
    const reached = versionOf(rows);
    if (!recent || !this.#continues(recent, rows)) return undefined;
    if (!recent.whole) this.#shorten(contextStream(id), recent, reached);
    const wanted = keys.all().flatMap((key) => recent.left.get(textOf(key)) ?? []);
    if (wanted.some(({ known }) => !known)) return undefined;
    return { head: recent.head, state: withChanges(rows.state, wanted) };
  }

  /** Whether all that lies between the rows and the head is remembered. */
  #continues({ head, since, at, alone }: RecentContext, rows: ContextSnapshot): boolean {
    const reached = versionOf(rows);
    if (!alone || this.now() - at > longestMs) return false;
    if (reached === head.version) return rows.head?.hash === head.hash;
    return since <= reached + 1 && reached < head.version;
  }

  /** Two rounds in a row tell that nobody else is at it: a guess would mostly be wrong then. */
  learn(id: ContextId, round: StoredRound): void {
    const stream = contextStream(id);
    const earlier = this.#streams.get(stream);
    // Its items are changed in place, and counted anew.
    this.#drop(stream);
    const recent = this.#after(earlier, round);
    if (recent) this.#keep(stream, recent);
  }

  /** Undefined of what another context, or an earlier version, says what it is like. */
  #after(earlier: RecentContext | undefined, round: StoredRound): RecentContext | undefined {
    const { head, events } = round.draft;
    if (!head || head.lineage !== null || events.some(isSweeping)) return undefined;
    const alone = isAlone(earlier, round.before);
    const { since, left, whole } = (alone && earlier) || startingBehind(round.before);
    if (!note({ left, whole }, round)) return undefined;
    return { head, since, left, alone, whole, at: this.now() };
  }

  forget(id: ContextId): void {
    this.#drop(contextStream(id));
  }

  #shorten(stream: string, recent: RecentContext, reached: number): void {
    this.#drop(stream);
    this.#keep(stream, behind(recent, reached));
  }

  #keep(stream: string, recent: RecentContext): void {
    this.#streams.set(stream, recent);
    this.#items += recent.left.size;
    for (const oldest of this.#streams.keys()) {
      if (this.#streams.size <= mostStreams && this.#items <= mostItemsInAll) return;
      this.#drop(oldest);
    }
  }

  #drop(stream: string): void {
    this.#items -= this.#streams.get(stream)?.left.size ?? 0;
    this.#streams.delete(stream);
  }
}

/**
 * An item that was not loaded is folded over nothing. Unless it was not there, what it is like then is not known. Neither
 * are items whose payload rules look at, which would be kept for nothing else.
 */
function leftOf(
  key: ItemKey,
  version: number,
  isFolded: boolean,
  { state }: FinalDraft,
): LatestChange {
  const known = isFolded && !itemNeedsBody(key.kind);
  const item = known ? state.get(key.kind, key.key) : undefined;
  return { key, version, known, item: item && { ...item, body: undefined } };
}

/** What the rows have reached is theirs to say from now on. */
function behind(recent: RecentContext, reached: number): RecentContext {
  for (const [text, { version }] of recent.left) if (version <= reached) recent.left.delete(text);
  return { ...recent, since: Math.max(recent.since, reached + 1) };
}

/** False once there are more items than are remembered: nothing more is looked at then. */
function note(
  { left, whole }: Pick<RecentContext, 'left' | 'whole'>,
  { before, loaded, draft }: StoredRound,
): boolean {
  const reached = versionOf(before);
  // Whether the round has folded the item over what it was.
  const isFolded = (key: ItemKey) => {
    if (loaded.has(key)) return true;
    const earlier = left.get(textOf(key));
    return whole && (!earlier || (earlier.known && earlier.version > reached));
  };
  const most = whole ? mostWholeItems : mostItems;
  for (const event of draft.events)
    for (const key of touchedKeys(event)) {
      left.set(textOf(key), leftOf(key, event.version, isFolded(key), draft));
      if (left.size > most) return false;
    }
  return true;
}

function isAlone(earlier: RecentContext | undefined, { head }: ContextSnapshot): boolean {
  return earlier?.head.hash === head?.hash;
}

function startingBehind(before: ContextSnapshot): Pick<RecentContext, 'since' | 'left' | 'whole'> {
  return { since: versionOf(before) + 1, left: new Map(), whole: !before.head };
}

function versionOf({ head }: ContextSnapshot): number {
  return head ? head.version : 0;
}

function withChanges(state: ContextState, changes: readonly LatestChange[]): ContextState {
  const changed = new Set(changes.map(({ key }) => textOf(key)));
  const items = [...state.values()].filter((item) => !changed.has(textOf(item)));
  return ContextState.from([...items, ...changes.flatMap(({ item }) => item ?? [])]);
}

function textOf({ kind, key }: ItemKey): string {
  return `${kind} ${key}`;
}
