import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';

import { renderAllCheckpoints } from '#shared-context';

import { pageOf } from '../paging/cursor.js';
import { ReachableContext, seenOf } from '../reading/reachable-context.js';
import { ListCheckpointsQuery } from './timeline.messages.js';

@QueryHandler(ListCheckpointsQuery)
export class ListCheckpointsHandler implements IQueryHandler<ListCheckpointsQuery> {
  constructor(private readonly contexts: ReachableContext) {}

  async execute({ request }: ListCheckpointsQuery) {
    const snapshot = await this.contexts.read(request, {
      kinds: ['checkpoint', 'completion'],
    });
    const checkpoints = renderAllCheckpoints(snapshot.state.values());
    return { ...seenOf(snapshot), page: pageOf(checkpoints, request) };
  }
}
