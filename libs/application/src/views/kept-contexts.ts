import { Inject, Injectable } from '@nestjs/common';

import { type Gate, LiveSource, type ViewSource, failuresBy, isShown } from '#context-views';
import { type CallOptions, type EventStore } from '#event-sourcing';
import {
  type ContextHead,
  type ContextId,
  type DecodedEvent,
  advanceHead,
  contextStream,
  decodeEvent,
  packTouched,
} from '#read-models';
import {
  type Activity,
  type ContextState,
  type Item,
  type ItemKey,
  activityOf,
  advanceActivity,
  isSweeping,
  touchedKeys,
} from '#shared-context';

import { GatedReader } from '../audiences/gated-reader.js';
import { EVENT_STORE } from '../tokens.js';
import { weightOf } from './kept-weight.js';
import { hidesWhatWas } from './previous-version.js';
import { viewSelection } from './view-selection.js';

/** Who reads what: `tag` tells readers with different gates apart. */
export type KeptFor = Readonly<{ id: ContextId; gate: Gate | undefined; tag: string | null }>;

/** A context at its newest version as a reader sees it, and what its views were made of one version earlier. */
export type KeptContext = Readonly<{
  head: ContextHead;
  state: ContextState;
  /** As far as the reader sees it. */
  activity: Activity;
  now: LiveSource;
  /** Undefined where nobody has looked yet, null where nobody can tell. */
  before: ViewSource | null | undefined;
}>;

/** Estimated tokens of all that is kept, about four characters each. */
const mostKept = 8_000_000;
/** Behind more events than these a context is read anew. */
const longestTail = 64;

/** Contexts as readers see them, kept between views: what is new is asked of the log each time. */
@Injectable()
export class KeptContexts {
  readonly #kept = new Map<string, KeptContext>();
  readonly #loading = new Map<string, Promise<KeptContext | undefined>>();
  #size = 0;

  constructor(
    private readonly gated: GatedReader,
    @Inject(EVENT_STORE) private readonly store: EventStore,
  ) {}

  /** Never stale; undefined where there is no such context. `isNew`: it was read from its beginning. */
  async read(
    wanted: KeptFor,
    options?: CallOptions,
  ): Promise<Readonly<{ context: KeptContext; isNew: boolean }> | undefined> {
    const name = nameOf(wanted);
    const known = this.#kept.get(name);
    const carried = known && (await this.#carryOn(known, wanted, options));
    const context = carried ?? (await this.#loadOnce(name, wanted, options));
    const newest = this.#kept.get(name);
    // Others may have come further meanwhile.
    if (!newest || !context || newest.head.version <= context.head.version)
      this.#keep(name, context);
    return context && { context, isNew: !carried };
  }

  /** Many that ask at once wait for one; what has come since it began is asked of the log by each. */
  async #loadOnce(
    name: string,
    wanted: KeptFor,
    options?: CallOptions,
  ): Promise<KeptContext | undefined> {
    const others = this.#loading.get(name);
    const loaded = others && (await others);
    const carried = loaded && (await this.#carryOn(loaded, wanted, options));
    if (carried) return carried;
    const loading = this.#load(wanted).finally(() => {
      if (this.#loading.get(name) === loading) this.#loading.delete(name);
    });
    this.#loading.set(name, loading);
    return loading;
  }

  /** Puts in what has become known of a context, unless others have carried it on meanwhile. */
  keep(wanted: KeptFor, context: KeptContext): void {
    const name = nameOf(wanted);
    if (this.#kept.get(name)?.now === context.now) this.#keep(name, context);
  }

  /** Undefined where it has to be read anew. */
  async #carryOn(
    known: KeptContext,
    { gate }: KeptFor,
    options?: CallOptions,
  ): Promise<KeptContext | undefined> {
    const from = known.head.version + 1;
    const tail = { from, limit: longestTail };
    const stored = await this.store.readStream(contextStream(known.head), tail, options);
    if (stored.length === 0) return known;
    const events = stored.map(decodeEvent);
    const changesSight = (event: DecodedEvent) => isSweeping(event) || showsMore(gate, event);
    if (events.length === longestTail || events.some(changesSight)) return undefined;
    return withEvents(known, events, gate);
  }

  async #load({ id, gate }: KeptFor): Promise<KeptContext | undefined> {
    const { head, state } = await this.gated.read({ id, gate }, viewSelection);
    if (!head) return undefined;
    // What hidden events have done to a context is none of the reader's business.
    const activity = gate ? activityOf([...state.values()]) : head.activity;
    const now = LiveSource.of(contentsOf({ head, state, activity }, gate));
    return { head, state, activity, now, before: undefined };
  }

  /** The newest last: what was read longest ago is let go. */
  #keep(name: string, context: KeptContext | undefined): void {
    this.#forget(name);
    if (!context) return;
    this.#kept.set(name, context);
    this.#size += weightOf(context.head, context.now.source);
    for (const oldest of this.#kept.keys()) {
      if (this.#size <= mostKept || oldest === name) break;
      this.#forget(oldest);
    }
  }

  #forget(name: string): void {
    const known = this.#kept.get(name);
    if (!known) return;
    this.#kept.delete(name);
    this.#size -= weightOf(known.head, known.now.source);
  }
}

/** The version before the newest is all that is asked for of those between. */
function withEvents(
  context: KeptContext,
  events: readonly DecodedEvent[],
  gate: Gate | undefined,
): KeptContext {
  const earlier = advanced(context, events.slice(0, -1), gate);
  const last = events.slice(-1);
  const isHidden = last.some(
    (event) => seenBy(gate, event, earlier.state) && hidesWhatWas(gate, event),
  );
  return { ...advanced(earlier, last, gate), before: isHidden ? null : earlier.now.source };
}

/** What an audience sees is the fold of the events it sees, so it is carried on by those alone. */
function advanced(
  context: KeptContext,
  events: readonly DecodedEvent[],
  gate: Gate | undefined,
): KeptContext {
  let { head, state, activity } = context;
  const touched = new Map<string, ItemKey>();
  for (const event of events) {
    head = advanceHead(head, head, event, state.lookup);
    const seen = seenBy(gate, event, state);
    if (!seen) continue;
    activity = gate ? advanceActivity(activity, seen, state.lookup) : head.activity;
    state = packTouched(state.apply(seen), seen);
    for (const { kind, key } of touchedKeys(seen)) touched.set(`${kind} ${key}`, { kind, key });
  }
  if (touched.size === 0) return { ...context, head, state, activity };
  const contents = contentsOf({ head, state, activity }, gate);
  const now = context.now.next([...touched.values()], { ...contents, before: context.state });
  return { head, state, activity, now, before: undefined };
}

/** Undefined where it is hidden. */
function seenBy(
  gate: Gate | undefined,
  event: DecodedEvent,
  state: ContextState,
): DecodedEvent | undefined {
  return gate ? gate.see(event, failuresBy(gate, state.lookup)) : event;
}

/** Where it is asked for what has failed, a failure shows what was hidden before it. */
function showsMore(gate: Gate | undefined, event: DecodedEvent): boolean {
  return (
    gate?.asksForFailures === true && touchedKeys(event).some(({ kind }) => kind === 'step-failure')
  );
}

type Seen = Pick<KeptContext, 'head' | 'state' | 'activity'>;

export function contentsOf({ head, state, activity }: Seen, gate: Gate | undefined) {
  const { contextId } = head;
  return { contextId, state, activity, isShown: shownBy(gate) };
}

export function shownBy(gate: Gate | undefined): ((item: Item) => boolean) | undefined {
  return gate && ((item) => isShown(gate, item));
}

function nameOf({ id, tag }: KeptFor): string {
  return `${contextStream(id)} ${tag ?? ''}`;
}
