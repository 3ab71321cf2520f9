import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';

import {
  FindContextQuery,
  FindVersionQuery,
  ListArtifactsQuery,
  ListDecisionsQuery,
} from './context.queries.js';
import { ContextHierarchy } from '../families/context-hierarchy.js';
import { pageOf } from '../paging/cursor.js';
import { isLarge } from '../reading/is-large-context.handler.js';
import {
  copySelection,
  documentSelection,
  hasFamily,
  tagOfCopy,
} from '../reading/document-members.js';
import { encodeDocument } from '../reading/document-text.js';
import { Documents } from '../reading/documents.js';
import { AuthorizedContextReader, responseMetadata } from '../reading/authorized-context-reader.js';
import { documentOf, objectsOf } from '../reading/render-snapshot.js';
import { markedPaths } from '../transformations/mark-derived.js';
import { Receipts } from '../receipts/receipts.js';

@QueryHandler(FindContextQuery)
export class FindContextHandler implements IQueryHandler<FindContextQuery> {
  constructor(
    private readonly contexts: AuthorizedContextReader,
    private readonly documents: Documents,
    private readonly families: ContextHierarchy,
    private readonly receipts: Receipts,
  ) {}

  async execute({ request }: FindContextQuery) {
    const { principal, asOf, parts } = request;
    const snapshot = await this.contexts.read(request, (filter) =>
      documentSelection(parts, filter),
    );
    const [family, notes] = await Promise.all([
      hasFamily(parts) ? this.families.of(snapshot, request) : undefined,
      this.documents.notes(snapshot),
    ]);
    const { document, transformationVersions } = await this.documents.renderMarked(snapshot, {
      family,
      members: parts,
    });
    const text = isLarge(snapshot.head)
      ? await encodeDocument(document, request.signal)
      : JSON.stringify(document);
    const shown = typeof text === 'string' ? { text } : { hash: text.hash };
    const parameters = {
      ...(asOf !== undefined && { asOf }),
      ...(parts && { parts }),
      ...(transformationVersions !== undefined && { transformationVersions }),
    };
    return {
      ...responseMetadata(snapshot),
      tag: tagOfCopy(snapshot.tag, parts, markedPaths(document)),
      document,
      text,
      notes,
      isParent: family !== undefined && family.children.length > 0,
      receipt: this.receipts.issue(
        { principal, ...snapshot },
        { kind: 'document', parameters, ...shown },
      ),
    };
  }
}

@QueryHandler(FindVersionQuery)
export class FindVersionHandler implements IQueryHandler<FindVersionQuery> {
  constructor(
    private readonly contexts: AuthorizedContextReader,
    private readonly documents: Documents,
    private readonly families: ContextHierarchy,
  ) {}

  async execute({ request }: FindVersionQuery) {
    const { parts } = request;
    const snapshot = await this.contexts.read(request, (filter) => copySelection(parts, filter));
    const isParent = hasFamily(parts) && (await this.families.has(snapshot, request));
    const tag = tagOfCopy(snapshot.tag, parts, await this.documents.inactive(snapshot));
    return { ...responseMetadata(snapshot), tag, isParent };
  }
}

@QueryHandler(ListDecisionsQuery)
export class ListDecisionsHandler implements IQueryHandler<ListDecisionsQuery> {
  constructor(private readonly contexts: AuthorizedContextReader) {}

  async execute({ request }: ListDecisionsQuery) {
    const snapshot = await this.contexts.read(request, { kinds: ['decision'] });
    const decisions = objectsOf(documentOf(snapshot)['decisionHistory']).filter(
      (decision) =>
        (request.live === undefined || decision['live'] === request.live) &&
        (request.topic === undefined || decision['topic'] === request.topic),
    );
    return { ...responseMetadata(snapshot), page: pageOf(decisions, request) };
  }
}

@QueryHandler(ListArtifactsQuery)
export class ListArtifactsHandler implements IQueryHandler<ListArtifactsQuery> {
  constructor(private readonly contexts: AuthorizedContextReader) {}

  async execute({ request }: ListArtifactsQuery) {
    const snapshot = await this.contexts.read(request, { kinds: ['artifact'] });
    const artifacts = objectsOf(documentOf(snapshot)['artifactReferences']);
    return { ...responseMetadata(snapshot), page: pageOf(artifacts, request) };
  }
}
