import { type RecordedContextEvent } from './context.events.js';
import { foldEvent } from './context.fold.js';
import { type Item, type ItemChange, type ItemKey, type ItemLookup } from './item.js';
import { type ItemKind } from './item-kinds.js';
import { Pace } from './pace.js';
import { type Source, maxSources, sourceOf, withSource } from './source.js';

/**
 * A state as its difference from the next one: `before` holds the earlier versions of the items that `newer` changed.
 */
type EarlierState = Readonly<{
  newer: ContextState;
  before: ReadonlyMap<string, Item | undefined>;
}>;

/**
 * An immutable set of the items of a context, or of its loaded items. Applying an event takes time in proportion
 * to its changes: the newest state owns the map of items, and older states hold their differences from it.
 */
export class ContextState {
  static from(items: Iterable<Item>): ContextState {
    return new ContextState(new Map(Array.from(items, (item) => [textOf(item), item])));
  }

  /** {@link get} as a function, for callers that need an {@link ItemLookup}. */
  readonly lookup: ItemLookup = (kind, key) => this.get(kind, key);

  #content: Map<string, Item> | EarlierState;

  private constructor(items: Map<string, Item>) {
    this.#content = items;
  }

  get(kind: ItemKind, key: string): Item | undefined {
    return this.#find(textOf({ kind, key }));
  }

  /** Every item, in no particular order. */
  values(): Iterable<Item> {
    return this.#items().values();
  }

  /** The state after the event. `changes`: the result of folding the event, if the caller has it already. */
  apply(
    event: RecordedContextEvent,
    changes: readonly ItemChange[] = foldEvent(event, this.lookup),
  ): ContextState {
    const newer = this.#before(changes);
    const cause = { event, source: sourceOf(event) };
    for (const change of changes) newer.#set(change, cause);
    return newer;
  }

  /**
   * Like {@link apply}, but interruptible. Between the steps this state is unchanged, and the newer one is not
   * accessible.
   */
  *applyInSteps(
    event: RecordedContextEvent,
    changes: readonly ItemChange[],
  ): Generator<void, ContextState> {
    const newer = this.#before(changes);
    const cause = { event, source: sourceOf(event) };
    const pace = new Pace();
    for (const change of changes) {
      if (pace.isStep()) yield;
      newer.#set(change, cause);
    }
    return newer;
  }

  /** This state with additional items; items that it already contains stay unchanged. */
  with(items: Iterable<Item>): ContextState {
    return ContextState.from([...items, ...this.values()]);
  }

  /**
   * An earlier state that differs from this one in the items of `keys`: it has those in `items`, and lacks the
   * others.
   */
  before(keys: readonly ItemKey[], items: readonly Item[]): ContextState {
    const earlier = ContextState.from([]);
    const earlierItems = new Map<string, Item | undefined>(
      keys.map((key) => [textOf(key), undefined]),
    );
    for (const item of items)
      if (earlierItems.has(textOf(item))) earlierItems.set(textOf(item), item);
    earlier.#content = { newer: this, before: earlierItems };
    return earlier;
  }

  /** Replaces items by equal ones that store their bodies differently; the state stays the same. */
  substitute(items: Iterable<Item>): void {
    if (!(this.#content instanceof Map))
      throw new Error('items can be substituted only in the newest state');
    for (const item of items) this.#content.set(textOf(item), item);
  }

  /** Creates the next state, before the changes are set in it, and makes this state a difference from it. */
  #before(changes: readonly ItemChange[]): ContextState {
    const items = this.#content instanceof Map ? this.#content : new Map(this.#items());
    const newer = new ContextState(items);
    if (this.#content !== items) return newer;
    const before = new Map<string, Item | undefined>();
    for (const change of changes) {
      const text = textOf(change);
      before.set(text, items.get(text));
    }
    this.#content = { newer, before };
    return newer;
  }

  #set(change: ItemChange, cause: Readonly<{ event: RecordedContextEvent; source: Source }>): void {
    if (!(this.#content instanceof Map))
      throw new Error('changes can be applied only to the newest state');
    const text = textOf(change);
    if ('removed' in change) this.#content.delete(text);
    else this.#content.set(text, changedItem(this.#content.get(text), change, cause));
  }

  #find(text: string): Item | undefined {
    let state: ContextState = this;
    while (!(state.#content instanceof Map)) {
      if (state.#content.before.has(text)) return state.#content.before.get(text);
      state = state.#content.newer;
    }
    return state.#content.get(text);
  }

  #items(): ReadonlyMap<string, Item> {
    const differences: EarlierState['before'][] = [];
    let state: ContextState = this;
    while (!(state.#content instanceof Map)) {
      differences.push(state.#content.before);
      state = state.#content.newer;
    }
    return differences.length === 0
      ? state.#content
      : undoChanges(state.#content, differences.toReversed());
  }
}

type Change = Exclude<ItemChange, Readonly<{ removed: true }>>;

/** The item after a change. If the earlier sources of the item are unknown, its sources stay unknown. */
export function changedItem(
  before: Item | undefined,
  change: Change,
  { event, source }: Readonly<{ event: RecordedContextEvent; source: Source }>,
): Item {
  const { kind, key, state, body } = change;
  const known = before ? before.sources : [];
  const sources = known && withSource(known, source, maxSources(kind));
  return { kind, key, fromVersion: event.version, state, body, sources };
}

/** The items before these changes; `changes` lists the newest change first. */
function undoChanges(
  newest: ReadonlyMap<string, Item>,
  changes: readonly EarlierState['before'][],
) {
  const items = new Map(newest);
  for (const [text, item] of changes.flatMap((before) => [...before])) {
    if (item) items.set(text, item);
    else items.delete(text);
  }
  return items;
}

/** Unique, as no kind contains a space. */
function textOf({ kind, key }: ItemKey): string {
  return `${kind} ${key}`;
}
