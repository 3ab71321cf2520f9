import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';

import { type JsonObject, type JsonValue } from '#event-sourcing';
import { wholeDocument } from '#read-models';
import { renderDocument } from '#shared-context';

import {
  FindContextQuery,
  FindVersionQuery,
  ListArtifactsQuery,
  ListDecisionsQuery,
} from './context.queries.js';
import { ReachableContext, type ReachableSnapshot, pageOf } from './reachable-context.js';

@QueryHandler(FindContextQuery)
export class FindContextHandler implements IQueryHandler<FindContextQuery> {
  constructor(private readonly contexts: ReachableContext) {}

  async execute({ request }: FindContextQuery) {
    const snapshot = await this.contexts.read(request, wholeDocument);
    return { version: snapshot.head.version, document: documentOf(snapshot) };
  }
}

@QueryHandler(FindVersionQuery)
export class FindVersionHandler implements IQueryHandler<FindVersionQuery> {
  constructor(private readonly contexts: ReachableContext) {}

  async execute({ request }: FindVersionQuery): Promise<number> {
    return (await this.contexts.read(request, { keys: [], bodies: false })).head.version;
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
    return { version: snapshot.head.version, page: pageOf(decisions, request) };
  }
}

@QueryHandler(ListArtifactsQuery)
export class ListArtifactsHandler implements IQueryHandler<ListArtifactsQuery> {
  constructor(private readonly contexts: ReachableContext) {}

  async execute({ request }: ListArtifactsQuery) {
    const snapshot = await this.contexts.read(request, { kinds: ['artifact'] });
    const artifacts = objectsOf(documentOf(snapshot)['artifactReferences']);
    return { version: snapshot.head.version, page: pageOf(artifacts, request) };
  }
}

/** The document of a snapshot, sizes and authorship from its head. */
export function documentOf({ head, state }: ReachableSnapshot) {
  return renderDocument(state.values(), {
    workspace: head.workspace,
    contextId: head.contextId,
    version: head.version,
    lastModifiedAt: head.modifiedAt,
    lastModifiedBy: head.modifiedBy,
    size: { events: head.version, bytes: head.bytes, tokens: head.tokens },
  });
}

/** The document's lists hold objects; its type does not say so. */
function objectsOf(list: JsonValue | undefined): JsonObject[] {
  return Array.isArray(list) ? (list as JsonObject[]) : [];
}
