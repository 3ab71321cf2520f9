import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';

import { renderAllCheckpoints } from '#shared-context';

import { pageOf } from '../paging/cursor.js';
import { AuthorizedContextReader, responseMetadata } from '../reading/authorized-context-reader.js';
import { ListCheckpointsQuery } from './lineage.messages.js';

@QueryHandler(ListCheckpointsQuery)
export class ListCheckpointsHandler implements IQueryHandler<ListCheckpointsQuery> {
  constructor(private readonly contexts: AuthorizedContextReader) {}

  async execute({ request }: ListCheckpointsQuery) {
    const snapshot = await this.contexts.read(request, {
      kinds: ['checkpoint', 'completion'],
    });
    const checkpoints = renderAllCheckpoints(snapshot.state.values());
    return { ...responseMetadata(snapshot), page: pageOf(checkpoints, request) };
  }
}
