import { type Kysely } from 'kysely';

import { type Database } from '#database';
import { type CallOptions, type EventStore } from '#event-sourcing';
import {
  type ContextReader,
  type ContextSnapshot,
  type Selection,
  type TracedItems,
  findEventsOfItems,
  packedItem,
  streamEvents,
} from '#read-models';
import {
  type ContextId,
  type DecodedEvent,
  type Item,
  type ItemKey,
  ContextState,
  foldStream,
} from '#shared-context';

import { type VisibilityFilter, type HasFailed } from './visibility-filter.js';
import { failuresIn, filterItems } from './filter-items.js';
import { areTraced, itemsToFold, selects, stepsOf, withWitnesses } from './filter-selection.js';

type FilteredReadRequest = Readonly<{
  id: ContextId;
  filter: VisibilityFilter | undefined;
  /** Left out, the context now. */
  version?: number | undefined;
  options?: CallOptions | undefined;
}>;

/** Reads contexts as an audience sees them: the items that its visible events alone would have made. */
export class FilteredReader {
  constructor(
    readonly reader: ContextReader,
    private readonly store: EventStore,
    private readonly db: Kysely<Database>,
  ) {}

  async read(asked: FilteredReadRequest, selection: Selection): Promise<ContextSnapshot> {
    const { id, filter, version, options } = asked;
    const wanted = filter ? withWitnesses(filter, selection) : selection;
    const snapshot =
      version === undefined
        ? await this.reader.read(id, wanted, options)
        : await this.reader.readAt(id, version, wanted, options);
    if (!filter || !snapshot.head) return snapshot;
    const items = 'keys' in wanted ? await this.#withFailures(asked, snapshot) : snapshot.state;
    const state = await this.#filtered(filter, { ...snapshot, state: items }, wanted);
    return {
      ...snapshot,
      state: isOfPast(filter, version) ? await this.#inForceNow(asked, state) : state,
    };
  }

  /** What an event of a failed step has made may be seen for that: the sources of an item name its steps. */
  async #withFailures(
    { id, filter, options }: FilteredReadRequest,
    { head, state }: ContextSnapshot,
  ) {
    if (!filter?.asksForFailures || !head) return state;
    const steps = new Set([...state.values()].flatMap(stepsOf));
    const keys = [...steps]
      .map((key) => ({ kind: 'step-failure', key }) as const)
      .filter(({ kind, key }) => !state.get(kind, key));
    if (keys.length === 0) return state;
    const failures = await this.reader.readAt(id, head.version, { keys, bodies: false }, options);
    return state.with(failures.state.values());
  }

  /** Decisions that were in force then and are not now are no more shown as of then: when one asks makes no difference. */
  async #inForceNow(
    { id, filter, options }: FilteredReadRequest,
    then: ContextState,
  ): Promise<ContextState> {
    const items = [...then.values()];
    const keys = items
      .filter(({ kind, state }) => kind === 'decision' && state['status'] === 'live')
      .map(({ kind, key }) => ({ kind, key }));
    if (keys.length === 0) return then;
    const now = await this.read({ id, filter, options }, { keys, bodies: false });
    const isGone = ({ kind, key, state }: Item) =>
      kind === 'decision' &&
      state['status'] === 'live' &&
      now.state.get(kind, key)?.state['status'] !== 'live';
    return ContextState.from(items.filter((item) => !isGone(item)));
  }

  /** Of these events of a context, which the audience sees, and what of them, as the context is now. */
  async see(
    id: ContextId,
    filter: VisibilityFilter | undefined,
    events: readonly DecodedEvent[],
  ): Promise<readonly DecodedEvent[]> {
    if (!filter) return events;
    const keys = events.flatMap((event) => keysBehind(filter, event));
    const { state } =
      keys.length > 0
        ? await this.read({ id, filter }, { keys, bodies: false })
        : { state: ContextState.from([]) };
    const hasFailed = failuresIn(filter, state.values());
    return events.flatMap((event) =>
      isOfDeadDecision(filter, event, state) ? [] : (filter.see(event, hasFailed) ?? []),
    );
  }

  async #filtered(
    filter: VisibilityFilter,
    { head, state }: ContextSnapshot,
    selection: Selection,
  ) {
    const { shown, mixed } = filterItems(
      filter,
      [...state.values()],
      selection.bodies === 'packed' ? packedItem : undefined,
    );
    if (mixed.size === 0 || !head) return ContextState.from(shown);
    const items = itemsToFold(filter, mixed, { selection, state });
    const folded = await this.#foldVisible(filter, head, items);
    const isSelected = selects(selection);
    const asked = folded.filter((item) => mixed.has(item.kind) && isSelected(item));
    const kept = selection.bodies === 'packed' ? asked.map(packedItem) : asked;
    return ContextState.from([...shown, ...kept]);
  }

  /** Where visible and hidden events have made the same item, only the visible ones can tell what it is. */
  async #foldVisible(
    filter: VisibilityFilter,
    { version, ...head }: ContextId & Readonly<{ version: number }>,
    items: TracedItems,
  ): Promise<readonly Item[]> {
    const id = { workspace: head.workspace, contextId: head.contextId };
    const source = { db: this.db, reader: this.reader };
    const events = areTraced(items)
      ? await findEventsOfItems(source, id, { items, until: version })
      : undefined;
    const seen = (hasFailed: HasFailed) =>
      events
        ? folded(events.flatMap((event) => filter.see(event, hasFailed) ?? []))
        : foldStream(streamEvents(this.store), id, version, (event) =>
            filter.see(event, hasFailed),
          );
    const made = await seen(() => false);
    return filter.asksForFailures ? seen(failuresIn(filter, made)) : made;
  }
}

/** Whether what was in force then may not be any more, and is not shown for that. */
function isOfPast(filter: VisibilityFilter, version: number | undefined): boolean {
  return filter.liveDecisionsOnly && !filter.asThen && version !== undefined;
}

function folded(events: readonly DecodedEvent[]): readonly Item[] {
  const state = events.reduce((before, event) => before.apply(event), ContextState.from([]));
  return [...state.values()];
}

/** The items that decide whether an event is seen. */
function keysBehind(filter: VisibilityFilter, event: DecodedEvent): readonly ItemKey[] {
  const decisionId = decisionOf(event);
  return [
    ...(filter.asksForFailures && 'stepId' in event.data && event.data.stepId !== undefined
      ? [{ kind: 'step-failure', key: event.data.stepId } as const]
      : []),
    ...(filter.liveDecisionsOnly && decisionId !== undefined
      ? [{ kind: 'decision', key: decisionId } as const]
      : []),
  ];
}

function isOfDeadDecision(
  filter: VisibilityFilter,
  event: DecodedEvent,
  state: ContextState,
): boolean {
  const decisionId = decisionOf(event);
  if (!filter.liveDecisionsOnly || decisionId === undefined) return false;
  return state.get('decision', decisionId)?.state['status'] !== 'live';
}

function decisionOf(event: DecodedEvent): string | undefined {
  const isOfDecision =
    event.type === 'DecisionRecorded' ||
    event.type === 'DecisionApproved' ||
    event.type === 'DecisionRejected';
  return isOfDecision ? event.data.decisionId : undefined;
}
