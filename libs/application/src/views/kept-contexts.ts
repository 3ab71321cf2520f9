import { Inject, Injectable } from '@nestjs/common';

import { type Gate, LiveSource, type ViewSource, isShown, viewKinds } from '#context-views';
import { type CallOptions, type EventStore } from '#event-sourcing';
import {
  type ContextHead,
  type ContextId,
  type DecodedEvent,
  advanceHead,
  contextStream,
  decodeEvent,
} from '#read-models';
import {
  type Activity,
  type ContextState,
  type Item,
  activityOf,
  advanceActivity,
  isSweeping,
  touchedKeys,
} from '#shared-context';

import { GatedReader } from '../audiences/gated-reader.js';
import { EVENT_STORE } from '../tokens.js';
import { hidesWhatWas } from './previous-version.js';

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
/** Of what becomes visible by a failure, nothing is carried on. */
const neverFailed = () => false;

/** Contexts as readers see them, kept between views: what is new is asked of the log each time. */
@Injectable()
export class KeptContexts {
  readonly #kept = new Map<string, KeptContext>();
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
    const context = carried ?? (await this.#load(wanted, options));
    if (context !== known) this.#keep(name, context);
    return context && { context, isNew: !carried };
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
    if (events.length === longestTail || gate?.asksForFailures || events.some(isSweeping))
      return undefined;
    return events.reduce((context, event) => withEvent(context, event, gate), known);
  }

  async #load({ id, gate }: KeptFor, options?: CallOptions): Promise<KeptContext | undefined> {
    const { head, state } = await this.gated.read({ id, gate, options }, { kinds: viewKinds });
    if (!head) return undefined;
    // What hidden events have done to a context is none of the reader's business.
    const activity = gate ? activityOf([...state.values()]) : head.activity;
    const now = LiveSource.of(contentsOf({ head, state, activity }, gate));
    return { head, state, activity, now, before: undefined };
  }

  /** What was read longest ago is let go. */
  #keep(name: string, context: KeptContext | undefined): void {
    this.#size -= this.#kept.get(name)?.head.tokens ?? 0;
    this.#kept.delete(name);
    if (!context) return;
    this.#kept.set(name, context);
    this.#size += context.head.tokens;
    for (const [oldest, { head }] of this.#kept) {
      if (this.#size <= mostKept || oldest === name) break;
      this.#kept.delete(oldest);
      this.#size -= head.tokens;
    }
  }
}

/** What an audience sees is the fold of the events it sees, so it is carried on by those alone. */
function withEvent(context: KeptContext, event: DecodedEvent, gate: Gate | undefined): KeptContext {
  const head = advanceHead(context.head, context.head, event, context.state.lookup);
  const before = hidesWhatWas(gate, event) ? null : context.now.source;
  const seen = gate ? gate.see(event, neverFailed) : event;
  if (!seen) return { ...context, head, before };
  const activity = gate
    ? advanceActivity(context.activity, seen, context.state.lookup)
    : head.activity;
  const state = context.state.apply(seen);
  const contents = contentsOf({ head, state, activity }, gate);
  const now = context.now.next(touchedKeys(seen), { ...contents, before: context.state });
  return { head, state, activity, now, before };
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
