import { setTimeout as wait } from 'node:timers/promises';

import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { type Kysely } from 'kysely';

import { type Database } from '#database';
import { type EventStore } from '#event-sourcing';
import { type TracedEvent, findTracedEvents } from '#read-models';

import { seesEverything } from '../access/reach.js';
import { ResourceNotFoundError } from '../errors.js';
import { DATABASE, EVENT_STORE, PROJECTION_LAG, type ProjectionLag } from '../tokens.js';
import { type FindLinked, isEventId, traceEvent } from './event-trace.js';
import { TraceEventQuery } from './history.queries.js';
import { showTrace } from './trace-nodes.js';

const maxNodes = 1_000;
/** How long to wait for the projection of an event that was just acknowledged. */
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
      seesEverything(principal) && isEventId(eventId)
        ? await this.#awaited(() => find({ eventIds: [eventId] }, 1), signal)
        : undefined;
    if (!self) throw new ResourceNotFoundError('there is no such event');
    const lag = await this.lag();
    const { nodes, truncated } = await traceEvent(self, maxNodes, find);
    const shown = await showTrace(this.store, nodes, signal && { signal });
    return { nodes: shown, truncated, lag: lag ?? null };
  }

  /** An acknowledged event may not be projected yet: waits for a short time while the projection is behind. */
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
}
