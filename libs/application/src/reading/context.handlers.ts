import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';

import { wholeDocument } from '#read-models';

import {
  FindContextQuery,
  FindVersionQuery,
  ListArtifactsQuery,
  ListDecisionsQuery,
} from './context.queries.js';
import { Families } from '../families/families.js';
import { Documents, documentOf, objectsOf } from './documents.js';
import { Receipts } from '../receipts/receipts.js';
import { ReachableContext, pageOf, seenOf } from './reachable-context.js';

@QueryHandler(FindContextQuery)
export class FindContextHandler implements IQueryHandler<FindContextQuery> {
  constructor(
    private readonly contexts: ReachableContext,
    private readonly documents: Documents,
    private readonly families: Families,
    private readonly receipts: Receipts,
  ) {}

  async execute({ request }: FindContextQuery) {
    const snapshot = await this.contexts.read(request, wholeDocument);
    const [family, notes] = await Promise.all([
      this.families.of(snapshot, request),
      this.documents.notes(snapshot),
    ]);
    const document = await this.documents.render(snapshot, family);
    const text = JSON.stringify(document);
    const { principal, asOf } = request;
    const parameters = asOf === undefined ? {} : { asOf };
    return {
      ...seenOf(snapshot),
      ...{ document, text, notes },
      isParent: family.children.length > 0,
      receipt: this.receipts.issue(
        { principal, ...snapshot },
        { kind: 'document', parameters, text },
      ),
    };
  }
}

@QueryHandler(FindVersionQuery)
export class FindVersionHandler implements IQueryHandler<FindVersionQuery> {
  constructor(
    private readonly contexts: ReachableContext,
    private readonly families: Families,
  ) {}

  async execute({ request }: FindVersionQuery) {
    const snapshot = await this.contexts.read(request, { keys: [], bodies: false });
    return { ...seenOf(snapshot), isParent: await this.families.has(snapshot, request) };
  }
}

@QueryHandler(ListDecisionsQuery)
export class ListDecisionsHandler implements IQueryHandler<ListDecisionsQuery> {
  constructor(private readonly contexts: ReachableContext) {}

  async execute({ request }: ListDecisionsQuery) {
    const snapshot = await this.contexts.read(request, { kinds: ['decision'] });
    const decisions = objectsOf(documentOf(snapshot)['decisionHistory']).filter(
      (decision) =>
        (request.live === undefined || decision['live'] === request.live) &&
        (request.topic === undefined || decision['topic'] === request.topic),
    );
    return { ...seenOf(snapshot), page: pageOf(decisions, request) };
  }
}

@QueryHandler(ListArtifactsQuery)
export class ListArtifactsHandler implements IQueryHandler<ListArtifactsQuery> {
  constructor(private readonly contexts: ReachableContext) {}

  async execute({ request }: ListArtifactsQuery) {
    const snapshot = await this.contexts.read(request, { kinds: ['artifact'] });
    const artifacts = objectsOf(documentOf(snapshot)['artifactReferences']);
    return { ...seenOf(snapshot), page: pageOf(artifacts, request) };
  }
}
