import { Inject, Injectable } from '@nestjs/common';
import { type Kysely } from 'kysely';

import { type Database } from '#database';
import { type CallOptions } from '#event-sourcing';
import {
  type ContextReader,
  type Selection,
  findActivityAt,
  findOpenItems,
  findProjectedVersion,
  keysOf,
} from '#read-models';
import {
  type Activity,
  type ContextId,
  type DecodedEvent,
  type Item,
  type ItemKey,
  type ItemKind,
  ContextState,
  activityKinds,
  activityOf,
  advanceActivity,
  foldEvent,
  replacesWholeState,
  noActivity,
  openStepKinds,
  stepFailureKey,
  touchedKeys,
} from '#shared-context';
import { type VisibilityFilter, FilteredReader } from '#visibility';

import { DATABASE } from '../tokens.js';

const openKinds: ReadonlySet<ItemKind> = new Set([...openStepKinds.kinds, ...openStepKinds.states]);

/** Above this number, items are read by their kinds, because a lookup by key takes longer. */
const maxOpenKeys = 1_000;

export type ActivityRequest = Readonly<{
  id: ContextId;
  filter: VisibilityFilter | undefined;
  version: number;
  options?: CallOptions | undefined;
}>;

/** A context at a version, for a reader who sees everything. */
type UnfilteredRequest = Omit<ActivityRequest, 'filter'>;

/**
 * Reads who was active at a version. For readers who see everything this takes one lookup, regardless of the number of
 * steps.
 */
@Injectable()
export class ActivityReader {
  readonly #reader: ContextReader;

  constructor(
    private readonly filteredReader: FilteredReader,
    @Inject(DATABASE) private readonly db: Kysely<Database>,
  ) {
    this.#reader = filteredReader.reader;
  }

  async find(request: ActivityRequest): Promise<Activity> {
    const { id, filter, version } = request;
    if (version === 0) return noActivity;
    const known = filter ? undefined : await findActivityAt(this.db, id, version);
    return (
      known ?? (filter ? undefined : await this.#fromTail(request)) ?? this.#fromItems(request)
    );
  }

  /**
   * The items of running or failed steps, for readers who see everything; of all steps if the context is a fork or was
   * restored.
   */
  async findOpenSteps({ id, version, options }: ActivityRequest): Promise<readonly Item[]> {
    const steps = await this.#openKeys({ id, version, options }, ['step']);
    const { kinds, states } = openStepKinds;
    const selection: Selection = steps
      ? { keys: steps.flatMap((step) => [step, stepFailureKey(step.key)]), bodies: true }
      : { kinds: [...kinds, ...states], bodies: kinds };
    const { state } = await this.#reader.readAt(id, version, selection, options);
    // Folding the tail of the stream adds incomplete items that were not loaded.
    return [...state.values()].filter(({ kind }) => openKinds.has(kind));
  }

  /** The open items of these kinds without their bodies, possibly with closed ones, for readers who see everything. */
  async findOpenItems(
    request: UnfilteredRequest,
    kinds: readonly ItemKind[],
  ): Promise<readonly Item[]> {
    const { id, version, options } = request;
    const keys = await this.#openKeys(request, kinds);
    const isShort = keys !== undefined && keys.length <= maxOpenKeys;
    const selection: Selection = isShort ? { keys, bodies: 'none' } : { kinds, bodies: 'none' };
    const { state } = await this.filteredReader.read(
      { id, filter: undefined, version, options },
      selection,
    );
    return [...state.values()].filter(({ kind }) => kinds.includes(kind));
  }

  /**
   * The keys of open items in the rows, and of the items that later events touch. Undefined if the rows do not cover
   * this version, or if an event restores an earlier one.
   */
  async #openKeys(
    { id, version, options }: UnfilteredRequest,
    kinds: readonly ItemKind[],
  ): Promise<readonly ItemKey[] | undefined> {
    const found = await findOpenItems(this.db, id, { version, kinds });
    if (!found) return undefined;
    const keys = new Map(found.keys.map((key) => [`${key.kind} ${key.key}`, key]));
    const tail = { after: found.projected, until: version };
    for await (const event of this.#reader.tail(id, tail, options)) {
      if (replacesWholeState(event)) return undefined;
      for (const { kind, key } of touchedKeys(event))
        if (kinds.includes(kind)) keys.set(`${kind} ${key}`, { kind, key });
    }
    return [...keys.values()];
  }

  /**
   * Folds the events after the rows over the activity in the rows. Undefined if the rows do not cover this version, or
   * if an event restores an earlier one.
   */
  async #fromTail({ id, version, options }: ActivityRequest): Promise<Activity | undefined> {
    const projected = await findProjectedVersion(this.db, id);
    if (projected === 0 || projected >= version) return undefined;
    const known = await findActivityAt(this.db, id, projected);
    const events: DecodedEvent[] = [];
    const tail = { after: projected, until: version };
    for await (const event of this.#reader.tail(id, tail, options)) events.push(event);
    if (!known || events.some(replacesWholeState)) return undefined;
    const keys = keysOf(events).filter(({ kind }) => activityKinds.includes(kind));
    const selection = { keys, bodies: 'none' } as const;
    const { state } = await this.#reader.readAt(id, projected, selection, options);
    return advanced(known, [...state.values()], events);
  }

  async #fromItems({ id, filter, version, options }: ActivityRequest): Promise<Activity> {
    const selection = { kinds: activityKinds, bodies: 'none' } as const;
    const { head, state } = await this.filteredReader.read(
      { id, filter, version, options },
      selection,
    );
    return activityOf([...state.values()], head?.activity.counted);
  }
}

/** Who is active after the events. The items must include every step of the events. */
function advanced(
  activity: Activity,
  items: readonly Item[],
  events: readonly DecodedEvent[],
): Activity {
  let state = ContextState.from(items);
  let now = activity;
  for (const event of events) {
    const changes = foldEvent(event, state.lookup);
    now = advanceActivity(now, event, state.lookup, changes);
    state = state.apply(event, changes);
  }
  return now;
}
