import { setTimeout as wait } from 'node:timers/promises';

import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { type Kysely } from 'kysely';

import { type Database } from '#database';
import {
  type EventStore,
  type JsonObject,
  type StoredEvent,
  UndecodableEventError,
} from '#event-sourcing';
import { type TracedEvent, contextStream, decodeEvent, findTracedEvents } from '#read-models';
import { authorOf, eventLine } from '#shared-context';

import { seesWhole } from '../access/authorize.js';
import { ResourceNotFoundError } from '../errors.js';
import { DATABASE, EVENT_STORE, PROJECTION_LAG, type ProjectionLag } from '../tokens.js';
import { type FindLinked, type TraceNode, isEventId, traceEvent } from './event-trace.js';
import { TraceEventQuery } from './replay.queries.js';

const mostNodes = 1_000;
const readsAtOnce = 16;
/** How long an event just acknowledged may take to be found. */
const projectionWaitMs = 2_000;
const lookAgainMs = 20;

@QueryHandler(TraceEventQuery)
export class TraceEventHandler implements IQueryHandler<TraceEventQuery> {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<Database>,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(PROJECTION_LAG) private readonly lag: ProjectionLag,
  ) {}

  async execute({ request }: TraceEventQuery) {
    const { principal, eventId, signal } = request;
    const find: FindLinked = (link, limit) => findTracedEvents(this.db, principal, link, limit);
    const self =
      seesWhole(principal) && isEventId(eventId)
        ? await this.#awaited(() => find({ eventIds: [eventId] }, 1), signal)
        : undefined;
    if (!self) throw new ResourceNotFoundError('there is no such event');
    const lag = await this.lag();
    const { nodes, truncated } = await traceEvent(self, mostNodes, find);
    const shown: JsonObject[] = [];
    for (let at = 0; at < nodes.length; at += readsAtOnce) {
      signal?.throwIfAborted();
      const batch = nodes.slice(at, at + readsAtOnce);
      shown.push(...(await Promise.all(batch.map((node) => this.#show(node)))));
    }
    return { nodes: shown.toSorted(byTime), truncated, lag: lag ?? null };
  }

  /** What was acknowledged may not be projected yet: waits a moment while the projection is behind. */
  async #awaited(
    find: () => Promise<readonly TracedEvent[]>,
    signal?: AbortSignal,
  ): Promise<TracedEvent | undefined> {
    const until = Date.now() + projectionWaitMs;
    for (;;) {
      const caughtUp = (await this.lag()) === 0;
      const [found] = await find();
      if (found || caughtUp || Date.now() > until) return found;
      await wait(lookAgainMs, undefined, signal && { signal });
    }
  }

  async #show({ event, relation }: TraceNode): Promise<JsonObject> {
    const { contextId, version, eventId, correlationId, causationId } = event;
    const links = { eventId, relation, contextId, version, correlationId, causationId };
    const read = { from: version, limit: 1 };
    const [stored] = await this.store.readStream(contextStream(event), read);
    return { ...links, ...(stored ? tellEvent(stored) : {}) };
  }
}

/** An event that this code cannot read still has its place and its type. */
function tellEvent(stored: StoredEvent): JsonObject {
  try {
    const event = decodeEvent(stored);
    const { type, recordedAt, principal } = event;
    return { type, recordedAt, principal, agentId: authorOf(event), line: eventLine(event) };
  } catch (error) {
    if (!(error instanceof UndecodableEventError)) throw error;
    return { type: stored.type, recordedAt: null, principal: null, agentId: null, line: null };
  }
}

function byTime(left: JsonObject, right: JsonObject): number {
  const [a, b] = [left, right].map(
    ({ recordedAt, contextId, version }) =>
      `${String(recordedAt)} ${String(contextId)} ${String(version).padStart(12, '0')}`,
  );
  return (a ?? '') < (b ?? '') ? -1 : 1;
}
