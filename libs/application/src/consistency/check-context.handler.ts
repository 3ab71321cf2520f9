import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';

import { wholeDocument } from '#read-models';
import { type Item, checkConsistency } from '#shared-context';
import { isShown } from '#visibility';

import { ContextHierarchy } from '../families/context-hierarchy.js';
import { Documents } from '../reading/documents.js';
import { AuthorizedContextReader, responseMetadata } from '../reading/authorized-context-reader.js';
import { CheckContextQuery } from './check-context.query.js';

@QueryHandler(CheckContextQuery)
export class CheckContextHandler implements IQueryHandler<CheckContextQuery> {
  constructor(
    private readonly contexts: AuthorizedContextReader,
    private readonly documents: Documents,
    private readonly families: ContextHierarchy,
  ) {}

  async execute({ request: { require: required = [], ...request } }: CheckContextQuery) {
    const snapshot = await this.contexts.read(request, wholeDocument);
    const family = await this.families.of(snapshot, request);
    const document = await this.documents.render(snapshot, family);
    const { filter, state } = snapshot;
    const isSubject = filter && ((item: Item) => isShown(filter, item));
    const checked = { items: state.values(), document, required, isSubject };
    const outcome = document['outcome'] ?? null;
    return { ...responseMetadata(snapshot), outcome, report: checkConsistency(checked) };
  }
}
