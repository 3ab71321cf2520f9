import { type RecordedContextEvent } from './context.events.js';
import { foldEvent } from './context.fold.js';
import { type Item, type ItemChange, type ItemKey, type ItemLookup } from './item.js';
import { type ItemKind } from './item-kinds.js';
import { Pace } from './pace.js';
import { type Source, maxSources, sourceOf, withSource } from './source.js';

/** What to put back to get the state before: the items a later state changed, as they were. */
type Older = Readonly<{ newer: ContextState; before: ReadonlyMap<string, Item | undefined> }>;

/**
 * The items of a context, or those of them that were loaded; never changes. Applying an event costs what the event
 * changes: the newest state owns the one map, older ones remember what they differ in.
 */
export class ContextState {
  static from(items: Iterable<Item>): ContextState {
    return new ContextState(new Map(Array.from(items, (item) => [textOf(item), item])));
  }

  /** {@link get} as a value, for the functions that take a lookup. */
  readonly lookup: ItemLookup = (kind, key) => this.get(kind, key);

  #content: Map<string, Item> | Older;

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

  /** `changes`: what the event makes of this state, if that is known. */
  apply(
    event: RecordedContextEvent,
    changes: readonly ItemChange[] = foldEvent(event, this.lookup),
  ): ContextState {
    const newer = this.#before(changes);
    const made = { event, source: sourceOf(event) };
    for (const change of changes) newer.#set(change, made);
    return newer;
  }

  /** As {@link apply}. Between the steps this state is as it was, and the newer one is not to be had. */
  *applyInSteps(
    event: RecordedContextEvent,
    changes: readonly ItemChange[],
  ): Generator<void, ContextState> {
    const newer = this.#before(changes);
    const made = { event, source: sourceOf(event) };
    const pace = new Pace();
    for (const change of changes) {
      if (pace.isStep()) yield;
      newer.#set(change, made);
    }
    return newer;
  }

  /** This state with items that it had not loaded; those it knows stay as they are. */
  with(items: Iterable<Item>): ContextState {
    return ContextState.from([...items, ...this.values()]);
  }

  /** An earlier state that differs in the items of `keys`: it has those in `items`, and lacks the others. */
  before(keys: readonly ItemKey[], items: readonly Item[]): ContextState {
    const earlier = ContextState.from([]);
    const were = new Map<string, Item | undefined>(keys.map((key) => [textOf(key), undefined]));
    for (const item of items) if (were.has(textOf(item))) were.set(textOf(item), item);
    earlier.#content = { newer: this, before: were };
    return earlier;
  }

  /** Puts items in the place of equal ones, which keep their bodies in another way: the state stays what it is. */
  substitute(items: Iterable<Item>): void {
    if (!(this.#content instanceof Map)) throw new Error('only the newest state takes items');
    for (const item of items) this.#content.set(textOf(item), item);
  }

  /** The state that the changes are about to be set in; this one remembers what it differs in. */
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

  #set(change: ItemChange, made: Readonly<{ event: RecordedContextEvent; source: Source }>): void {
    if (!(this.#content instanceof Map)) throw new Error('only the newest state takes changes');
    const text = textOf(change);
    if ('removed' in change) this.#content.delete(text);
    else this.#content.set(text, changedItem(this.#content.get(text), change, made));
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
    const undone: Older['before'][] = [];
    let state: ContextState = this;
    while (!(state.#content instanceof Map)) {
      undone.push(state.#content.before);
      state = state.#content.newer;
    }
    return undone.length === 0 ? state.#content : restored(state.#content, undone.toReversed());
  }
}

type Change = Exclude<ItemChange, Readonly<{ removed: true }>>;

/** What a change leaves of an item. Where nobody knows what made it before, nobody knows now. */
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

/** The items as they were before all these changes, newest change first. */
function restored(newest: ReadonlyMap<string, Item>, changes: readonly Older['before'][]) {
  const items = new Map(newest);
  for (const [text, item] of changes.flatMap((before) => [...before])) {
    if (item) items.set(text, item);
    else items.delete(text);
  }
  return items;
}

/** Kinds hold no space. */
function textOf({ kind, key }: ItemKey): string {
  return `${kind} ${key}`;
}
