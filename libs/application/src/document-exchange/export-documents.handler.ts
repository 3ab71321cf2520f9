import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';

import { type ContextToWrite, readContextDocument } from '#interop';
import { wholeDocument } from '#read-models';
import { baselineIn, sourceDocuments } from '#shared-context';

import { Documents } from '../reading/documents.js';
import {
  AuthorizedContextReader,
  type AuthorizedSnapshot,
} from '../reading/authorized-context-reader.js';
import { findFormat } from './document-formats.js';
import { type DocumentsExported, ExportDocumentsQuery } from './document-exchange.messages.js';
import { PastDocuments } from './past-documents.js';

type Request = ExportDocumentsQuery['request'];

/**
 * Exports a context as documents. Readers who see everything get the text of imported documents; for other audiences
 * the documents are generated from the visible items.
 */
@QueryHandler(ExportDocumentsQuery)
export class ExportDocumentsHandler implements IQueryHandler<ExportDocumentsQuery> {
  constructor(
    private readonly contexts: AuthorizedContextReader,
    private readonly documents: Documents,
    private readonly past: PastDocuments,
  ) {}

  async execute({ request }: ExportDocumentsQuery): Promise<DocumentsExported> {
    const { write, mediaType, name } = findFormat(request.format);
    if (!write) throw new Error(`contexts cannot be exported as ${name}`);
    const snapshot = await this.contexts.read(request, wholeDocument);
    const context: ContextToWrite = {
      document: readContextDocument(await this.documents.render(snapshot)),
      ...(await this.#imported(request, snapshot)),
    };
    return { ...write(context), mediaType };
  }

  async #imported(
    request: Request,
    { head, filter }: AuthorizedSnapshot,
  ): Promise<Omit<ContextToWrite, 'document'>> {
    if (filter) return { baseline: null, sources: [] };
    const { state } = await this.contexts.read(
      { ...request, asOf: undefined, known: head.version },
      { kinds: ['source', 'baseline'] },
    );
    const items = [...state.values()];
    const sources = sourceDocuments(items).filter(({ format }) => format === request.format);
    return {
      baseline: baselineIn(items) ?? null,
      sources: await this.past.withBefore(request, sources),
    };
  }
}
