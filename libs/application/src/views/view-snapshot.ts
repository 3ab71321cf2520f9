import { type Gate, type LiveSource, type ViewSource, failuresBy, isShown } from '#context-views';
import {
  type ContextHead,
  type ContextId,
  type DecodedEvent,
  advanceHead,
  packTouched,
} from '#read-models';
import {
  type Activity,
  ContextState,
  type Item,
  type ItemKey,
  advanceActivity,
  foldEvent,
  withoutProposals,
  touchedKeys,
} from '#shared-context';
import { type Steps } from '#slices';

import { isDerived, markItem } from '../transformations/mark-derived.js';
import { type WorkspaceTransformations } from '../transformations/transformation-store.js';
import { hidesWhatWas } from './previous-version.js';

/** A reader and a context; `tag` distinguishes readers with different gates. */
export type KeptFor = Readonly<{ id: ContextId; gate: Gate | undefined; tag: string | null }>;

/** A context at its newest version as a reader sees it, with the source of views at the previous version. */
export type KeptContext = Readonly<{
  head: ContextHead;
  state: ContextState;
  /** Made of the events that the reader sees. */
  activity: Activity;
  now: LiveSource;
  /** Whether any of its values was derived. */
  hasDerived: boolean;
  /** The source of the previous version: undefined if it has not been read yet, null if it is not known any more. */
  before: ViewSource | null | undefined;
  /** The transformations that the marks of derived values follow; undefined before the first marking, or if nothing was derived. */
  transformations: WorkspaceTransformations | undefined;
}>;

/** Applies events. Of the versions between, only the last but one is kept, as `before`. */
export function* withEvents(
  context: KeptContext,
  events: readonly DecodedEvent[],
  gate: Gate | undefined,
): Steps<KeptContext> {
  const earlier = yield* advanced(context, events.slice(0, -1), gate);
  const last = events.slice(-1);
  const isHidden = last.some(
    (event) => seenBy(gate, event, earlier.state) && hidesWhatWas(gate, event),
  );
  const newest = yield* advanced(earlier, last, gate);
  return { ...newest, before: isHidden ? null : earlier.now.source };
}

/** What an audience sees is the fold of the events it sees, so it is carried on by those alone. */
function* advanced(
  context: KeptContext,
  events: readonly DecodedEvent[],
  gate: Gate | undefined,
): Steps<KeptContext> {
  let { head, state, activity } = context;
  const { transformations } = context;
  const touched = new Map<string, ItemKey>();
  for (const event of events) {
    const { lookup } = state;
    const seen = seenBy(gate, event, state);
    const changes = changesOf(seen, state);
    // Behind a gate, the activity of the head is not used.
    head = advanceHead(head, head, event, { lookup, changes });
    if (!seen) continue;
    activity = gate ? advanceActivity(activity, seen, lookup, changes) : head.activity;
    state = packTouched(state.apply(seen, changes), seen);
    if (transformations) state.substitute(newMarks(state, seen, transformations));
    for (const { kind, key } of touchedKeys(seen)) touched.set(`${kind} ${key}`, { kind, key });
  }
  if (touched.size === 0) return { ...context, head, state, activity };
  const contents = contentsOf({ head, state, activity }, gate);
  const keys = [...touched.values()];
  const now = yield* context.now.nextInSteps(keys, { ...contents, before: context.state });
  const hasDerived = context.hasDerived || keys.some(isDerived);
  return { ...{ head, state, activity, now, hasDerived, transformations }, before: undefined };
}

function changesOf(seen: DecodedEvent | undefined, { lookup }: ContextState) {
  return seen ? foldEvent(seen, lookup) : [];
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
function seenBy(
  gate: Gate | undefined,
  event: DecodedEvent,
  state: ContextState,
): DecodedEvent | undefined {
  return gate ? gate.see(event, failuresBy(gate, state.lookup)) : event;
}

/** Whether an event reveals earlier ones: if the policy shows failed steps, a failure reveals what the step did before. */
export function showsMore(gate: Gate | undefined, event: DecodedEvent): boolean {
  return (
    gate?.asksForFailures === true && touchedKeys(event).some(({ kind }) => kind === 'step-failure')
  );
}

/** Marks derived values by other transformations, after which the version before must be marked again, too. */
export function withMarks(
  context: KeptContext,
  transformations: WorkspaceTransformations,
  gate: Gate | undefined,
): KeptContext {
  const items = [...context.state.values()];
  const changed = items
    .map((item) => markItem(item, transformations.set))
    .filter((item, at) => item !== items[at] && (shownBy(gate)?.(item) ?? true));
  const remarked = { ...context, transformations, before: undefined };
  if (changed.length === 0) return remarked;
  const state = ContextState.from([...items, ...changed]);
  const contents = contentsOf({ ...context, state }, gate);
  return {
    ...remarked,
    state,
    now: context.now.next(changed, { ...contents, before: context.state }),
  };
}

type VisibleContext = Pick<KeptContext, 'head' | 'state' | 'activity'>;

export function contentsOf({ head, state, activity }: VisibleContext, gate: Gate | undefined) {
  const { contextId } = head;
  const shownActivity = gate?.liveDecisionsOnly ? withoutProposals(activity) : activity;
  return { contextId, state, activity: shownActivity, isShown: shownBy(gate) };
}

export function shownBy(gate: Gate | undefined): ((item: Item) => boolean) | undefined {
  return gate && ((item) => isShown(gate, item));
}
