import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';

import { wholeDocument } from '#read-models';
import { type Item, checkConsistency } from '#shared-context';
import { isShown } from '#visibility';

import { Families } from '../families/families.js';
import { Documents } from '../reading/documents.js';
import { ReachableContext, seenOf } from '../reading/reachable-context.js';
import { CheckContextQuery } from './check-context.query.js';

@QueryHandler(CheckContextQuery)
export class CheckContextHandler implements IQueryHandler<CheckContextQuery> {
  constructor(
    private readonly contexts: ReachableContext,
    private readonly documents: Documents,
    private readonly families: Families,
  ) {}

  async execute({ request: { require: required = [], ...request } }: CheckContextQuery) {
    const snapshot = await this.contexts.read(request, wholeDocument);
    const family = await this.families.of(snapshot, request);
    const document = await this.documents.render(snapshot, family);
    const { gate, state } = snapshot;
    const isSubject = gate && ((item: Item) => isShown(gate, item));
    const checked = { items: state.values(), document, required, isSubject };
    const outcome = document['outcome'] ?? null;
    return { ...seenOf(snapshot), outcome, report: checkConsistency(checked) };
  }
}
