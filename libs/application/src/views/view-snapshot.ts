import { type ViewSource, IncrementalViewSource, sizeOfSource, viewKinds } from '#context-views';
import { packTouched } from '#read-models';
import {
  type Activity,
  type ContextHead,
  type DecodedEvent,
  type Item,
  type ItemKey,
  ContextState,
  activityOf,
  advanceActivity,
  advanceHead,
  foldEvent,
  touchedKeys,
  withoutProposals,
} from '#shared-context';
import { type Steps } from '#slices';
import { type VisibilityFilter, failuresBy, isShown } from '#visibility';

import { isDerived, markItem } from '../transformations/mark-derived.js';
import { type WorkspaceTransformations } from '../transformations/transformation-store.js';
import { type EarlierItems, hidesEarlierContent } from './previous-version.js';

/** The newest version of a context as a reader sees it, and the sources of its views. */
export type ViewSnapshot = Readonly<{
  head: ContextHead;
  state: ContextState;
  /** Computed from the visible events. */
  activity: Activity;
  now: IncrementalViewSource;
  /** Whether the snapshot has derived values. */
  hasDerived: boolean;
  /**
   * The source of the previous version: null if it can no longer be determined, undefined if it has not been read yet.
   */
  before: ViewSource | null | undefined;
  /**
   * The transformations by which derived values are marked; undefined before the first marking, or if nothing was
   * derived.
   */
  transformations: WorkspaceTransformations | undefined;
}>;

/** Applies events; `before` is the version before the last event. */
export function* withEvents(
  snapshot: ViewSnapshot,
  events: readonly DecodedEvent[],
  filter: VisibilityFilter | undefined,
): Steps<ViewSnapshot> {
  const earlier = yield* advanced(snapshot, events.slice(0, -1), filter);
  const last = events.slice(-1);
  const isHidden = last.some(
    (event) => visibleEvent(filter, event, earlier.state) && hidesEarlierContent(filter, event),
  );
  const newest = yield* advanced(earlier, last, filter);
  return { ...newest, before: isHidden ? null : earlier.now.source };
}

/** An audience sees the fold of its visible events, so hidden events only advance the head. */
function* advanced(
  snapshot: ViewSnapshot,
  events: readonly DecodedEvent[],
  filter: VisibilityFilter | undefined,
): Steps<ViewSnapshot> {
  let { head, state, activity } = snapshot;
  const { transformations } = snapshot;
  const touched = new Map<string, ItemKey>();
  for (const event of events) {
    const { lookup } = state;
    const visible = visibleEvent(filter, event, state);
    const changes = changesOf(visible, state);
    // With a visibility filter, the activity of the head is not used.
    head = advanceHead(head, head, event, { lookup, changes });
    if (!visible) continue;
    activity = filter ? advanceActivity(activity, visible, lookup, changes) : head.activity;
    state = packTouched(state.apply(visible, changes), visible);
    if (transformations) state.substitute(newMarks(state, visible, transformations));
    for (const { kind, key } of touchedKeys(visible)) touched.set(`${kind} ${key}`, { kind, key });
  }
  if (touched.size === 0) return { ...snapshot, head, state, activity };
  const contents = contentsOf({ head, state, activity }, filter);
  const keys = [...touched.values()];
  const now = yield* snapshot.now.nextInSteps(keys, { ...contents, before: snapshot.state });
  const hasDerived = snapshot.hasDerived || keys.some(isDerived);
  return {
    head,
    state,
    activity,
    now,
    hasDerived,
    transformations,
    before: undefined,
  };
}

function changesOf(visible: DecodedEvent | undefined, { lookup }: ContextState) {
  return visible ? foldEvent(visible, lookup) : [];
}

/** Derived values that the event changed and whose marks are out of date. */
function newMarks(
  state: ContextState,
  event: DecodedEvent,
  { set }: WorkspaceTransformations,
): readonly Item[] {
  return touchedKeys(event)
    .filter(isDerived)
    .flatMap(({ kind, key }) => {
      const item = state.get(kind, key);
      const marked = item && markItem(item, set);
      return marked && marked !== item ? [marked] : [];
    });
}

/** The event as the reader sees it; undefined if it is hidden. */
function visibleEvent(
  filter: VisibilityFilter | undefined,
  event: DecodedEvent,
  state: ContextState,
): DecodedEvent | undefined {
  return filter ? filter.filterEvent(event, failuresBy(filter, state.lookup)) : event;
}

/**
 * Whether an event reveals earlier ones: if the policy shows failed steps, a failure reveals earlier events of its
 * step.
 */
export function showsMore(filter: VisibilityFilter | undefined, event: DecodedEvent): boolean {
  return (
    filter?.dependsOnFailures === true &&
    touchedKeys(event).some(({ kind }) => kind === 'step-failure')
  );
}

/** Marks derived values by other transformations. The previous version must then be marked again as well. */
export function withMarks(
  snapshot: ViewSnapshot,
  transformations: WorkspaceTransformations,
  filter: VisibilityFilter | undefined,
): ViewSnapshot {
  const items = [...snapshot.state.values()];
  const changed = items
    .map((item) => markItem(item, transformations.set))
    .filter((item, at) => item !== items[at] && (shownBy(filter)?.(item) ?? true));
  const remarked = { ...snapshot, transformations, before: undefined };
  if (changed.length === 0) return remarked;
  const state = ContextState.from([...items, ...changed]);
  const contents = contentsOf({ ...snapshot, state }, filter);
  return {
    ...remarked,
    state,
    now: snapshot.now.next(changed, { ...contents, before: snapshot.state }),
  };
}

/** The source of an earlier version; it shares unchanged entries with the current one. */
export function* sourceBefore(
  snapshot: ViewSnapshot,
  earlier: EarlierItems,
  filter: VisibilityFilter | undefined,
): Steps<IncrementalViewSource> {
  const { head, now } = snapshot;
  const isWhole = 'all' in earlier;
  if (!isWhole && earlier.changedKeys.length === 0) return now;
  const state = isWhole
    ? ContextState.from(earlier.all)
    : snapshot.state.before(earlier.changedKeys, earlier.changedItems);
  const contents = contentsOf(
    { head, state, activity: activityOf(viewedItems(state), head.activity.counted) },
    filter,
  );
  return yield* isWhole
    ? IncrementalViewSource.inSteps(contents, now)
    : now.nextInSteps(earlier.changedKeys, { ...contents, before: snapshot.state });
}

type VisibleContext = Pick<ViewSnapshot, 'head' | 'state' | 'activity'>;

export function contentsOf(
  { head, state, activity }: VisibleContext,
  filter: VisibilityFilter | undefined,
) {
  const { contextId } = head;
  const shownActivity = filter?.liveDecisionsOnly ? withoutProposals(activity) : activity;
  return { contextId, state, activity: shownActivity, isShown: shownBy(filter) };
}

export function shownBy(
  filter: VisibilityFilter | undefined,
): ((item: Item) => boolean) | undefined {
  return filter && ((item) => isShown(filter, item));
}

/** The items of which views consist. */
export function viewedItems(state: ContextState): readonly Item[] {
  return [...state.values()].filter(({ kind }) => viewKinds.includes(kind));
}

/** The memory of a context without its texts, and of each of its entries, in tokens. */
const tokensApart = 4_000;
const tokensEntry = 50;

/**
 * The estimated memory of a snapshot in tokens. The head counts all own events of the context, including events that
 * views do not show; the source also counts inherited items.
 */
export function weightOf({ head, now }: VersionSource): number {
  const { source } = now;
  const entries = source.timeline.entries.length * tokensEntry;
  return Math.max(head.tokens, sizeOfSource(source)) + tokensApart + entries;
}

type VersionSource = Readonly<{
  head: Pick<ContextHead, 'tokens'>;
  now: Pick<IncrementalViewSource, 'source'>;
}>;
