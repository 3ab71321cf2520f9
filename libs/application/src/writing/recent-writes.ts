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
  at: number;
}>;

const mostStreams = 1_000;
const mostItems = 256;
/** Nobody waits so long for the read models, and what is older than this may as well be read. */
const longestMs = 5_000;

/**
 * What this process has stored last, so that the next write to a stream need not read it back. Only a guess at what there
 * is: whoever decides on it must append behind the version it speaks of, or decide again on what is read.
 */
export class RecentWrites {
  readonly #streams = new Map<string, RecentContext>();

  constructor(private readonly now: () => number) {}

  /** What there is by all this process knows: these rows, and its own writes behind them. Undefined if it cannot know. */
  recall(id: ContextId, keys: LoadedKeys, rows: ContextSnapshot): ContextSnapshot | undefined {
    const recent = this.#streams.get(contextStream(id));
    const reached = versionOf(rows);
    if (!recent || !this.#continues(recent, rows)) return undefined;
    this.#keep(contextStream(id), behind(recent, reached));
    const wanted = [...recent.left.values()].filter(({ key }) => keys.has(key));
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
    const recent = this.#after(this.#streams.get(stream), round);
    this.#streams.delete(stream);
    if (recent) this.#keep(stream, recent);
  }

  /** Undefined of what another context, or an earlier version, says what it is like. */
  #after(earlier: RecentContext | undefined, round: StoredRound): RecentContext | undefined {
    const { head, events } = round.draft;
    if (!head || head.lineage !== null || events.some(isSweeping)) return undefined;
    const alone = isAlone(earlier, round.before);
    const { since, left } = (alone && earlier) || startingBehind(round.before);
    if (!note(left, round)) return undefined;
    return { head, since, left, alone, at: this.now() };
  }

  forget(id: ContextId): void {
    this.#streams.delete(contextStream(id));
  }

  #keep(stream: string, recent: RecentContext): void {
    this.#streams.set(stream, recent);
    const [oldest] = this.#streams.keys();
    if (oldest !== undefined && this.#streams.size > mostStreams) this.#streams.delete(oldest);
  }
}

/**
 * An item that was not loaded is folded over nothing: what it is like is not known. Neither are those whose payload rules
 * look at, which would be kept for nothing else.
 */
function leftOf(
  key: ItemKey,
  version: number,
  loaded: LoadedKeys,
  { state }: FinalDraft,
): LatestChange {
  const known = loaded.has(key) && !itemNeedsBody(key.kind);
  const item = known ? state.get(key.kind, key.key) : undefined;
  return { key, version, known, item: item && { ...item, body: undefined } };
}

/** What the rows have reached is theirs to say from now on. */
function behind(recent: RecentContext, reached: number): RecentContext {
  for (const [text, { version }] of recent.left) if (version <= reached) recent.left.delete(text);
  return { ...recent, since: Math.max(recent.since, reached + 1) };
}

/** False once there are more items than are remembered: nothing more is looked at then. */
function note(left: RecentContext['left'], { loaded, draft }: StoredRound): boolean {
  for (const event of draft.events)
    for (const key of touchedKeys(event)) {
      left.set(textOf(key), leftOf(key, event.version, loaded, draft));
      if (left.size > mostItems) return false;
    }
  return true;
}

function isAlone(earlier: RecentContext | undefined, { head }: ContextSnapshot): boolean {
  return earlier?.head.hash === head?.hash;
}

function startingBehind(before: ContextSnapshot): Pick<RecentContext, 'since' | 'left'> {
  return { since: versionOf(before) + 1, left: new Map() };
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
