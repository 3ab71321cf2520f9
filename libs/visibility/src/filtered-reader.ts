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
import { areTraced, itemsToFold, selects, stepsOf, withDecidingItems } from './filter-selection.js';

type FilteredReadRequest = Readonly<{
  id: ContextId;
  filter: VisibilityFilter | undefined;
  /** The newest version by default. */
  version?: number | undefined;
  options?: CallOptions | undefined;
}>;

/** Reads contexts for an audience: the items that a fold of the visible events alone would return. */
export class FilteredReader {
  constructor(
    readonly reader: ContextReader,
    private readonly store: EventStore,
    private readonly db: Kysely<Database>,
  ) {}

  async read(request: FilteredReadRequest, selection: Selection): Promise<ContextSnapshot> {
    const { id, filter, version, options } = request;
    const extended = filter ? withDecidingItems(filter, selection) : selection;
    const snapshot =
      version === undefined
        ? await this.reader.read(id, extended, options)
        : await this.reader.readAt(id, version, extended, options);
    if (!filter || !snapshot.head) return snapshot;
    const items = 'keys' in extended ? await this.#withFailures(request, snapshot) : snapshot.state;
    const state = await this.#filtered(filter, { ...snapshot, state: items }, extended);
    return {
      ...snapshot,
      state: mayHaveSuperseded(filter, version) ? await this.#liveNow(request, state) : state,
    };
  }

  /** Adds the failures of the steps that the sources of the items name: items of failed steps may be visible. */
  async #withFailures(
    { id, filter, options }: FilteredReadRequest,
    { head, state }: ContextSnapshot,
  ) {
    if (!filter?.dependsOnFailures || !head) return state;
    const steps = new Set([...state.values()].flatMap(stepsOf));
    const keys = [...steps]
      .map((key) => ({ kind: 'step-failure', key }) as const)
      .filter(({ kind, key }) => !state.get(kind, key));
    if (keys.length === 0) return state;
    const failures = await this.reader.readAt(id, head.version, { keys, bodies: false }, options);
    return state.with(failures.state.values());
  }

  /** Removes decisions that were live at an earlier version and are not live now. */
  async #liveNow(
    { id, filter, options }: FilteredReadRequest,
    then: ContextState,
  ): Promise<ContextState> {
    const items = [...then.values()];
    const keys = items
      .filter(({ kind, state }) => kind === 'decision' && state['status'] === 'live')
      .map(({ kind, key }) => ({ kind, key }));
    if (keys.length === 0) return then;
    const now = await this.read({ id, filter, options }, { keys, bodies: false });
    const isSuperseded = ({ kind, key, state }: Item) =>
      kind === 'decision' &&
      state['status'] === 'live' &&
      now.state.get(kind, key)?.state['status'] !== 'live';
    return ContextState.from(items.filter((item) => !isSuperseded(item)));
  }

  /** Filters events of a context: removes hidden events and withheld members, by the current state of the context. */
  async filterEvents(
    id: ContextId,
    filter: VisibilityFilter | undefined,
    events: readonly DecodedEvent[],
  ): Promise<readonly DecodedEvent[]> {
    if (!filter) return events;
    const keys = events.flatMap((event) => decidingKeys(filter, event));
    const { state } =
      keys.length > 0
        ? await this.read({ id, filter }, { keys, bodies: false })
        : { state: ContextState.from([]) };
    const hasFailed = failuresIn(filter, state.values());
    return events.flatMap((event) =>
      concernsSuperseded(filter, event, state) ? [] : (filter.filterEvent(event, hasFailed) ?? []),
    );
  }

  async #filtered(
    filter: VisibilityFilter,
    { head, state }: ContextSnapshot,
    selection: Selection,
  ) {
    const { visible, mixed } = filterItems(
      filter,
      [...state.values()],
      selection.bodies === 'packed' ? packedItem : undefined,
    );
    if (mixed.size === 0 || !head) return ContextState.from(visible);
    const items = itemsToFold(filter, mixed, { selection, state });
    const folded = await this.#foldVisible(filter, head, items);
    const isSelected = selects(selection);
    const selected = folded.filter((item) => mixed.has(item.kind) && isSelected(item));
    const refolded = selection.bodies === 'packed' ? selected.map(packedItem) : selected;
    return ContextState.from([...visible, ...refolded]);
  }

  /** Folds the visible events of items that both visible and hidden events have changed. */
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
    const foldWith = (hasFailed: HasFailed) =>
      events
        ? folded(events.flatMap((event) => filter.filterEvent(event, hasFailed) ?? []))
        : foldStream(streamEvents(this.store), id, version, (event) =>
            filter.filterEvent(event, hasFailed),
          );
    const withoutFailures = await foldWith(() => false);
    return filter.dependsOnFailures
      ? foldWith(failuresIn(filter, withoutFailures))
      : withoutFailures;
  }
}

/** Whether a read of an earlier version may contain decisions that are hidden because they are no longer live. */
function mayHaveSuperseded(filter: VisibilityFilter, version: number | undefined): boolean {
  return filter.liveDecisionsOnly && !filter.includesSuperseded && version !== undefined;
}

function folded(events: readonly DecodedEvent[]): readonly Item[] {
  const state = events.reduce((before, event) => before.apply(event), ContextState.from([]));
  return [...state.values()];
}

/** The items that decide whether an event is visible. */
function decidingKeys(filter: VisibilityFilter, event: DecodedEvent): readonly ItemKey[] {
  const decisionId = decisionOf(event);
  return [
    ...(filter.dependsOnFailures && 'stepId' in event.data && event.data.stepId !== undefined
      ? [{ kind: 'step-failure', key: event.data.stepId } as const]
      : []),
    ...(filter.liveDecisionsOnly && decisionId !== undefined
      ? [{ kind: 'decision', key: decisionId } as const]
      : []),
  ];
}

function concernsSuperseded(
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
