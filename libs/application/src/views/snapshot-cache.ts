import { Inject, Injectable } from '@nestjs/common';

import { LiveSource } from '#context-views';
import { type CallOptions, type EventStore } from '#event-sourcing';
import { type DecodedEvent, contextStream, decodeEvent } from '#read-models';
import { activityOf, isSweeping } from '#shared-context';
import { runInSlices } from '#slices';

import { GatedReader } from '../audiences/gated-reader.js';
import { EVENT_STORE } from '../tokens.js';
import { isDerived } from '../transformations/mark-derived.js';
import { TransformationStore } from '../transformations/transformation-store.js';
import {
  type KeptContext,
  type KeptFor,
  contentsOf,
  showsMore,
  withEvents,
  withMarks,
} from './kept-context.js';
import { weightOf } from './kept-weight.js';
import { viewSelection } from './view-selection.js';

/** Estimated tokens of all that is kept, about four characters each. */
const mostKept = 8_000_000;
/** Behind more events than these a context is read anew. */
const longestTail = 64;

/** `weight`: in estimated tokens. */
type WeighedContext = Readonly<{ context: KeptContext; weight: number }>;

/** Contexts as readers see them, kept between views: what is new is asked of the log each time. */
@Injectable()
export class KeptContexts {
  readonly #kept = new Map<string, WeighedContext>();
  readonly #loading = new Map<string, Promise<KeptContext | undefined>>();
  #size = 0;

  constructor(
    private readonly gated: GatedReader,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    private readonly transformations: TransformationStore,
  ) {}

  /** Never stale; undefined if there is no such context. `isNew`: it was read from its beginning. */
  async read(
    wanted: KeptFor,
    options?: CallOptions,
  ): Promise<Readonly<{ context: KeptContext; isNew: boolean }> | undefined> {
    const name = nameOf(wanted);
    const known = this.#current(name);
    const carried = known && (await this.#carryOn(known, wanted, options));
    const read = carried ?? (await this.#loadOnce(name, wanted, options));
    const context = read && (await this.#mark(read, wanted));
    const newest = this.#find(name);
    // Others may have come further meanwhile.
    if (!newest || !context || newest.head.version <= context.head.version)
      this.#keep(name, context);
    return context && { context, isNew: !carried };
  }

  #find(name: string): KeptContext | undefined {
    return this.#kept.get(name)?.context;
  }

  /** Rows of earlier projection versions do not count work: a context that was loaded from them is loaded again. */
  #current(name: string): KeptContext | undefined {
    const known = this.#find(name);
    return known?.activity.counted === true ? known : undefined;
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
    if (this.#find(name)?.now === context.now) this.#keep(name, context);
  }

  /** Marks derived values by the newest transformations. Runs no statement if nothing was derived. */
  async #mark(context: KeptContext, wanted: KeptFor): Promise<KeptContext> {
    if (!context.hasDerived) return context;
    const newest = await this.transformations.at(context.head.workspace);
    if (newest.versions === context.transformations?.versions) return context;
    // Another reader may have marked the same version meanwhile.
    const other = this.#find(nameOf(wanted));
    const isSame =
      other?.head.version === context.head.version &&
      other.transformations?.versions === newest.versions;
    if (isSame) return other;
    const remarked = withMarks(context, newest, wanted.gate);
    this.#keep(nameOf(wanted), remarked);
    return remarked;
  }

  /** Undefined if the context must be read again. */
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
    return runInSlices(withEvents(known, events, gate));
  }

  async #load(wanted: KeptFor): Promise<KeptContext | undefined> {
    const { id, gate } = wanted;
    const { head, state } = await this.gated.read({ id, gate }, viewSelection);
    if (!head) return undefined;
    // Hidden events must not affect the reader's activity.
    const activity = gate ? activityOf([...state.values()], head.activity.counted) : head.activity;
    const contents = contentsOf({ head, state, activity }, gate);
    const now = await runInSlices(LiveSource.inSteps(contents));
    const hasDerived = [...state.values()].some(isDerived);
    const context = { head, state, activity, now, hasDerived };
    return this.#mark({ ...context, before: undefined, transformations: undefined }, wanted);
  }

  /** The newest last: what was read longest ago is let go. */
  #keep(name: string, context: KeptContext | undefined): void {
    this.#forget(name);
    if (!context) return;
    const weight = weightOf(context.head, context.now.source);
    this.#kept.set(name, { context, weight });
    this.#size += weight;
    for (const oldest of this.#kept.keys()) {
      if (this.#size <= mostKept || oldest === name) break;
      this.#forget(oldest);
    }
  }

  #forget(name: string): void {
    const known = this.#kept.get(name);
    if (!known) return;
    this.#kept.delete(name);
    this.#size -= known.weight;
  }
}

function nameOf({ id, tag }: KeptFor): string {
  return `${contextStream(id)} ${tag ?? ''}`;
}
