import {
  type Activity,
  type ContextState,
  type Item,
  type ItemKey,
  type ItemKind,
  finish,
} from '#shared-context';

import { type ViewSource } from '../compose/layout.js';
import { type StatusContext } from '../entries/item-status.js';
import { type Entry } from '../entries/entry.js';
import { refOf } from '../entries/item-ref.js';
import { timelineSection } from '../entries/section.js';
import { currentStateSectionsInSteps } from '../entries/current-state-sections.js';
import { newestSummary } from '../entries/view-summary.js';
import { Outlines, entryOf } from './item-entry.js';
import { statusAmong, timelineSourceInSteps, viewKinds } from './view-source.js';

/** These items affect only the state line, which is computed from the activity. */
const stateKinds: ReadonlySet<ItemKind> = new Set([
  'life',
  'step',
  'newest-review',
  'newest-signal',
]);

type Contents = Readonly<{
  contextId: string;
  state: ContextState;
  activity: Activity;
  /** Whether an item is shown; the other items only affect the status of these. */
  isShown?: ((item: Item) => boolean) | undefined;
}>;

/** The view source of a context, updated from event to event at the cost of the changes. Immutable. */
export class IncrementalViewSource {
  /** `like`: a source of mostly the same items. Its entries and parts are reused for the same items. */
  static of(contents: Contents, like?: IncrementalViewSource): IncrementalViewSource {
    return finish(IncrementalViewSource.inSteps(contents, like));
  }

  /** As {@link of}, in steps. */
  static *inSteps(
    { contextId, state, activity, isShown }: Contents,
    like?: IncrementalViewSource,
  ): Generator<void, IncrementalViewSource> {
    const items = [...state.values()].filter(isViewed);
    const outline = like?.status.outline ?? new Outlines().of;
    const status = statusAmong(items, isShown, outline);
    const timelineSource = yield* timelineSourceInSteps(
      { contextId, items, isShown, like: like?.source },
      status,
    );
    const others = items.filter((item) => !timelineSection(item) && !stateKinds.has(item.kind));
    const parts = yield* currentStateSectionsInSteps(others, activity, like?.source.currentState);
    return new IncrementalViewSource(
      { ...timelineSource, currentState: parts },
      new Map(others.map((item) => [nameOf(item), item])),
      status,
    );
  }

  private constructor(
    readonly source: ViewSource,
    private readonly others: ReadonlyMap<string, Item>,
    private readonly status: StatusContext,
  ) {}

  /** The source after the items with these keys have become those of `state`. */
  next(...changed: Parameters<IncrementalViewSource['nextInSteps']>): IncrementalViewSource {
    return finish(this.nextInSteps(...changed));
  }

  /** As {@link next}, in steps. */
  *nextInSteps(
    keys: readonly ItemKey[],
    contents: Contents & Readonly<{ before: ContextState }>,
  ): Generator<void, IncrementalViewSource> {
    const touched = keys.filter(isViewed);
    // The status of a decision affects everything that rests on it.
    const isFarReaching = touched.some(({ kind }) => kind === 'decision' || kind === 'creation');
    return yield* isFarReaching
      ? IncrementalViewSource.inSteps(contents, this)
      : this.#with(touched, contents);
  }

  *#with(
    keys: readonly ItemKey[],
    { state, before, activity }: Parameters<IncrementalViewSource['nextInSteps']>[1],
  ): Generator<void, IncrementalViewSource> {
    const changed = keys.flatMap((key) => this.#entry(key, state) ?? []);
    const removed = keys.filter((key) => isTimelineItem(before.get(key.kind, key.key))).map(refOf);
    const others = new Map(this.others);
    for (const key of keys) {
      const item = state.get(key.kind, key.key);
      if (item && !timelineSection(item) && !stateKinds.has(item.kind))
        others.set(nameOf(key), item);
      else others.delete(nameOf(key));
    }
    const remaining = [...others.values()];
    const source = {
      header: this.source.header,
      timeline: this.source.timeline.with(changed, new Set(removed)),
      currentState: yield* currentStateSectionsInSteps(
        remaining,
        activity,
        this.source.currentState,
      ),
      summary: newestSummary(remaining.filter(({ kind }) => kind === 'summary')),
    };
    return new IncrementalViewSource(source, others, this.status);
  }

  #entry({ kind, key }: ItemKey, state: ContextState): Entry | undefined {
    const item = state.get(kind, key);
    const section = item && timelineSection(item);
    return section && entryOf(item, section, this.status);
  }
}

/** Whether the item is shown in the timeline. */
function isTimelineItem(item: Item | undefined): boolean {
  return item !== undefined && timelineSection(item) !== undefined;
}

function isViewed({ kind }: ItemKey): boolean {
  return viewKinds.includes(kind);
}

function nameOf({ kind, key }: ItemKey): string {
  return `${kind} ${key}`;
}
