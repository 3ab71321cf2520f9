import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';

import { renderCheckpoints } from '#shared-context';

import { ReachableContext, pageOf } from '../reading/reachable-context.js';
import { ListCheckpointsQuery } from './timeline.messages.js';

@QueryHandler(ListCheckpointsQuery)
export class ListCheckpointsHandler implements IQueryHandler<ListCheckpointsQuery> {
  constructor(private readonly contexts: ReachableContext) {}

  async execute({ request }: ListCheckpointsQuery) {
    const { head, state } = await this.contexts.read(request, { kinds: ['checkpoint'] });
    return { version: head.version, page: pageOf(renderCheckpoints(state.values()), request) };
  }
}
