import { Inject, Injectable } from '@nestjs/common';

import { LiveSource, type ViewSource, viewKinds } from '#context-views';
import { type CallOptions, type EventStore } from '#event-sourcing';
import {
  type ContextHead,
  type ContextId,
  ContextReader,
  type DecodedEvent,
  advanceHead,
  contextStream,
  decodeEvent,
} from '#read-models';
import { type ContextState, isSweeping, touchedKeys } from '#shared-context';

import { EVENT_STORE } from '../tokens.js';

/** A context at its newest version, and what its views were made of one version earlier, where that is known. */
export type WholeContext = Readonly<{
  head: ContextHead;
  state: ContextState;
  now: LiveSource;
  before: ViewSource | undefined;
}>;

/** Estimated tokens of all that is kept, about four characters each. */
const mostKept = 16_000_000;
/** Behind more events than these a context is read anew. */
const longestTail = 64;

/** Contexts as who sees everything reads them, kept between views: what is new is asked of the log each time. */
@Injectable()
export class WholeContexts {
  readonly #kept = new Map<string, WholeContext>();
  #size = 0;

  constructor(
    @Inject(ContextReader) private readonly reader: ContextReader,
    @Inject(EVENT_STORE) private readonly store: EventStore,
  ) {}

  /** Never stale; undefined where there is no such context. */
  async read(id: ContextId, options?: CallOptions): Promise<WholeContext | undefined> {
    const name = contextStream(id);
    const known = this.#kept.get(name);
    const newest =
      (known && (await this.#carryOn(known, options))) ?? (await this.#load(id, options));
    if (newest !== known) this.#keep(name, newest);
    return newest;
  }

  /** Undefined where it has to be read anew. */
  async #carryOn(known: WholeContext, options?: CallOptions): Promise<WholeContext | undefined> {
    const from = known.head.version + 1;
    const tail = { from, limit: longestTail };
    const stored = await this.store.readStream(contextStream(known.head), tail, options);
    const events = stored.map(decodeEvent);
    if (events.length === longestTail || events.some(isSweeping)) return undefined;
    return events.reduce(withEvent, known);
  }

  async #load(id: ContextId, options?: CallOptions): Promise<WholeContext | undefined> {
    const { head, state } = await this.reader.read(id, { kinds: viewKinds }, options);
    if (!head) return undefined;
    const { contextId, activity } = head;
    return { head, state, now: LiveSource.of({ contextId, state, activity }), before: undefined };
  }

  /** Puts in what has become known of a context, unless others have carried it on meanwhile. */
  keep(id: ContextId, context: WholeContext): void {
    const name = contextStream(id);
    if (this.#kept.get(name)?.now === context.now) this.#keep(name, context);
  }

  /** What was read longest ago is let go. */
  #keep(name: string, context: WholeContext | undefined): void {
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

function withEvent(context: WholeContext, event: DecodedEvent): WholeContext {
  const head = advanceHead(context.head, context.head, event, context.state.lookup);
  const state = context.state.apply(event);
  const { contextId, activity } = head;
  const now = context.now.next(touchedKeys(event), {
    ...{ contextId, state, activity },
    before: context.state,
  });
  return { head, state, now, before: context.now.source };
}
