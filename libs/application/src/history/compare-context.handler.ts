import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';

import { AuthorizedContextReader } from '../reading/authorized-context-reader.js';
import { encodeComparisonCursor } from './comparison-cursor.js';
import { ComparisonRanges } from './comparison-ranges.js';
import { ContextComparison } from './context-comparison.js';
import { CompareContextQuery } from './history.queries.js';

@QueryHandler(CompareContextQuery)
export class CompareContextHandler implements IQueryHandler<CompareContextQuery> {
  constructor(
    private readonly contexts: AuthorizedContextReader,
    private readonly ranges: ComparisonRanges,
    private readonly comparison: ContextComparison,
  ) {}

  async execute({ request }: CompareContextQuery) {
    const { contextId, limit, signal } = request;
    const { head, filter, tag } = await this.contexts.read(request, { keys: [], bodies: false });
    const { range, place } = await this.ranges.find(head, request);
    const part = { range, place, limit, filter };
    const { difference, next } = await this.comparison.page(part, signal && { signal });
    const nextCursor = next ? encodeComparisonCursor(range, next) : null;
    return { contextId, from: range.from, to: range.to, tag, difference, nextCursor };
  }
}
