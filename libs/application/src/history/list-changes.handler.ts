import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';

import { type JsonObject } from '#event-sourcing';
import { type DecodedEvent, authorOf, eventLine } from '#shared-context';

import { positionNamed } from '../errors.js';
import { AuthorizedContextReader } from '../reading/authorized-context-reader.js';
import { encodeComparisonCursor } from './comparison-cursor.js';
import { ComparisonRanges } from './comparison-ranges.js';
import { ContextComparison } from './context-comparison.js';
import { ListChangesQuery } from './history.queries.js';

@QueryHandler(ListChangesQuery)
export class ListChangesHandler implements IQueryHandler<ListChangesQuery> {
  constructor(
    private readonly contexts: AuthorizedContextReader,
    private readonly ranges: ComparisonRanges,
    private readonly comparison: ContextComparison,
  ) {}

  async execute({ request }: ListChangesQuery) {
    const { contextId, since, limit, cursor, signal } = request;
    const { head, filter, tag } = await this.contexts.read(request, { keys: [], bodies: false });
    const positions = { from: since, cursor, signal };
    const { range, place } = await positionNamed('since', this.ranges.find(head, positions));
    const part = { range, place, limit, filter };
    const { difference, events, next } = await this.comparison.page(part, signal && { signal });
    const { from, to } = range;
    const nextCursor = next ? encodeComparisonCursor(range, next) : null;
    const page = { items: events.map(showLine), nextCursor };
    return { contextId, from, to, tag, difference, page };
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
