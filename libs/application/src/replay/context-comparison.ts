import { Inject, Injectable } from '@nestjs/common';
import { type Kysely } from 'kysely';

import { type Database } from '#database';
import { type Gate, isShown } from '#context-views';
import { type CallOptions } from '#event-sourcing';
import {
  type ContextId,
  type ContextReader,
  type DecodedEvent,
  type Selection,
  decodeEvent,
  findActivityAt,
  keysOf,
  wholeDocument,
} from '#read-models';
import {
  type Activity,
  type ContextDifference,
  ContextNotFoundError,
  ContextState,
  type Item,
  type ItemKey,
  activityKinds,
  advanceActivity,
  compareContexts,
  isSweeping,
  noActivity,
} from '#shared-context';

import { GatedReader } from '../audiences/gated-reader.js';
import { InvalidPositionError, positionNamed } from '../errors.js';
import { resolveAsOf } from '../reading/as-of.js';
import { readable } from '../reading/reachable-context.js';
import { DATABASE } from '../tokens.js';
import { relatedDecisions } from './related-decisions.js';

/** Beyond either, reading two whole states costs less than reading all that happened between them. */
const mostEvents = 2_000;
const mostBytes = 16 * 1_048_576;

const longestRead = 512;

export type Range = ContextId & Readonly<{ from: number; to: number }>;

/** Differences between two versions of one context; their cost follows what changed, not the history. */
@Injectable()
export class ContextComparison {
  readonly #reader: ContextReader;

  constructor(
    private readonly gated: GatedReader,
    @Inject(DATABASE) private readonly db: Kysely<Database>,
  ) {
    this.#reader = gated.reader;
  }

  /** The versions two positions mean; `from` is 0 before the first event, `to` at `head` when left out. */
  async resolve(
    id: ContextId & Readonly<{ version: number }>,
    asked: Readonly<{ from: string; to?: string | undefined }>,
    signal?: AbortSignal,
  ): Promise<Range> {
    const versionOf = (member: 'from' | 'to') =>
      positionNamed(member, resolveAsOf(this.#reader, id, asked[member], signal));
    const from = (await versionOf('from')) ?? 0;
    const to = (await versionOf('to')) ?? Math.max(id.version, from);
    if (to === 0) throw new ContextNotFoundError();
    if (from > to)
      throw new InvalidPositionError(
        `from is version ${from} and to is version ${to}: a difference goes forward in time, so exchange the two`,
        'from',
      );
    return { workspace: id.workspace, contextId: id.contextId, from, to };
  }

  /** Behind a gate, of what it lets be seen at either version. */
  compare(
    range: Range,
    { gate, ...options }: CallOptions & Readonly<{ gate?: Gate | undefined }> = {},
  ): Promise<ContextDifference> {
    return readable(async () => {
      if (gate)
        return compareContexts(
          await this.#seenAt(range, range.from, gate, options),
          await this.#seenAt(range, range.to, gate, options),
        );
      const events = await this.#eventsOf(range, options);
      return events
        ? this.#compareTouched(range, events, options)
        : compareContexts(
            await this.#itemsAt(range, range.from, wholeDocument, options),
            await this.#itemsAt(range, range.to, wholeDocument, options),
          );
    });
  }

  /** Undefined where there are too many to be read, or one of them may have changed anything. */
  async #eventsOf(
    range: Range,
    options?: CallOptions,
  ): Promise<readonly DecodedEvent[] | undefined> {
    const count = range.to - range.from;
    if (count > mostEvents) return undefined;
    const events: DecodedEvent[] = [];
    if (count === 0) return events;
    const place = { after: range.from, first: Math.min(count, longestRead) };
    let bytes = 0;
    for await (const stored of this.#reader.storedTail(range, place, options)) {
      if (stored.version > range.to) break;
      bytes += stored.data.length;
      if (bytes > mostBytes || isSweeping(stored)) return undefined;
      events.push(decodeEvent(stored));
      if (stored.version === range.to) break;
    }
    return events;
  }

  /** Loads what the events touched as it was before, and lets the events make of it what it is after. */
  async #compareTouched(
    range: Range,
    events: readonly DecodedEvent[],
    options?: CallOptions,
  ): Promise<ContextDifference> {
    const keys = keysOf(events);
    const activity = await this.#activityAt(range, keys, range.from);
    const touched = await this.#itemsAt(range, range.from, { keys, bodies: true }, options);
    const after = played(touched, events);
    const decisions = relatedDecisions(touched, after);
    const related: readonly Selection[] = activity
      ? decisions
      : [...decisions, { kinds: activityKinds }];
    const more = await Promise.all(
      related.map((selection) => this.#itemsAt(range, range.from, selection, options)),
    );
    const before = [...more.flat(), ...touched];
    const activities = activity && ([activity, advanced(activity, before, events)] as const);
    return compareContexts(before, played(before, events), activities);
  }

  /** Undefined where only all steps can tell. Where no step was touched, nothing of it has changed. */
  async #activityAt(
    id: ContextId,
    touched: readonly ItemKey[],
    version: number,
  ): Promise<Activity | undefined> {
    if (version === 0 || !touched.some(({ kind }) => activityKinds.includes(kind)))
      return noActivity;
    return findActivityAt(this.db, id, version);
  }

  async #seenAt(
    id: ContextId,
    version: number,
    gate: Gate,
    options?: CallOptions,
  ): Promise<readonly Item[]> {
    if (version === 0) return [];
    const { state } = await this.gated.read({ id, gate, version, options }, wholeDocument);
    return [...state.values()].filter((item) => isShown(gate, item));
  }

  async #itemsAt(
    id: ContextId,
    version: number,
    selection: Selection,
    options?: CallOptions,
  ): Promise<readonly Item[]> {
    if (version === 0) return [];
    const { state } = await this.#reader.readAt(id, version, selection, options);
    return [...state.values()];
  }
}

function played(items: readonly Item[], events: readonly DecodedEvent[]): readonly Item[] {
  const after = events.reduce((state, event) => state.apply(event), ContextState.from(items));
  return [...after.values()];
}

/** Who is active after the events, where the items hold every step they speak of. */
function advanced(
  activity: Activity,
  items: readonly Item[],
  events: readonly DecodedEvent[],
): Activity {
  let state = ContextState.from(items);
  let now = activity;
  for (const event of events) {
    now = advanceActivity(now, event, state.lookup);
    state = state.apply(event);
  }
  return now;
}
