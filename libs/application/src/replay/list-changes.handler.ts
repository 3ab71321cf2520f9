import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';

import { type JsonObject } from '#event-sourcing';
import { type ContextId, type DecodedEvent } from '#read-models';
import { authorOf, eventLine } from '#shared-context';

import { decodeVersions, encodeCursor } from '../reading/cursor.js';
import { readEventsPage } from '../reading/events-page.js';
import { positionNamed } from '../errors.js';
import { ReachableContext, readable } from '../reading/reachable-context.js';
import { ContextComparison, type Range } from './context-comparison.js';
import { ListChangesQuery } from './replay.queries.js';

type Request = ListChangesQuery['request'];

@QueryHandler(ListChangesQuery)
export class ListChangesHandler implements IQueryHandler<ListChangesQuery> {
  constructor(
    private readonly contexts: ReachableContext,
    private readonly comparison: ContextComparison,
  ) {}

  async execute({ request }: ListChangesQuery) {
    const { contextId, cursor, signal } = request;
    const { head, gate, tag } = await this.contexts.read(request, { keys: [], bodies: false });
    const options = signal && { signal };
    const { range, after } = await this.#rangeOf(request, head);
    const difference =
      cursor === undefined ? await this.comparison.compare(range, { ...options, gate }) : null;
    const page = { after, until: range.to, limit: request.limit };
    const { events, next } = await readable(() =>
      readEventsPage(this.contexts.gated, { id: range, gate }, page, options),
    );
    const nextCursor =
      next === undefined ? null : encodeCursor([range.from, range.to, next].map(String));
    const { from, to } = range;
    return {
      contextId,
      from,
      to,
      tag,
      difference,
      page: { items: events.map(showLine), nextCursor },
    };
  }

  /** A cursor keeps its range, whatever has happened since the first page. */
  async #rangeOf(
    { since, cursor, signal }: Request,
    head: ContextId & Readonly<{ version: number }>,
  ): Promise<Readonly<{ range: Range; after: number }>> {
    if (cursor === undefined) {
      const range = await positionNamed(
        'since',
        this.comparison.resolve(head, { from: since }, signal),
      );
      return { range, after: range.from };
    }
    const [from = 0, to = 0, after = 0] = decodeVersions(cursor, 3);
    const { workspace, contextId } = head;
    return { range: { workspace, contextId, from, to: Math.min(to, head.version) }, after };
  }
}

function showLine(event: DecodedEvent): JsonObject {
  return {
    eventId: event.eventId,
    version: event.version,
    type: event.type,
    recordedAt: event.recordedAt,
    principal: event.principal,
    agentId: authorOf(event),
    visibility: event.visibility,
    line: eventLine(event),
  };
}
