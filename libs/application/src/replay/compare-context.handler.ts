import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';

import { ReachableContext } from '../reading/reachable-context.js';
import { ContextComparison } from './context-comparison.js';
import { CompareContextQuery } from './replay.queries.js';

@QueryHandler(CompareContextQuery)
export class CompareContextHandler implements IQueryHandler<CompareContextQuery> {
  constructor(
    private readonly contexts: ReachableContext,
    private readonly comparison: ContextComparison,
  ) {}

  async execute({ request }: CompareContextQuery) {
    const { contextId, signal } = request;
    const { head, gate, tag } = await this.contexts.read(request, { keys: [], bodies: false });
    const range = await this.comparison.resolve(head, request, signal);
    const difference = await this.comparison.compare(range, signal ? { signal, gate } : { gate });
    return { contextId, from: range.from, to: range.to, tag, difference };
  }
}
