import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';

import { openEnvelope } from '#event-sourcing';
import { EventsJsonlWriter } from '#interop';
import { type ContextId } from '#shared-context';

import { ContextChain } from './context-chain.js';
import { ExportSignatures } from './export-signatures.js';
import { ExportContextQuery } from './event-exchange.messages.js';
import { SignedLines } from './signed-lines.js';

@QueryHandler(ExportContextQuery)
export class ExportContextHandler implements IQueryHandler<ExportContextQuery> {
  constructor(
    private readonly chain: ContextChain,
    private readonly signatures: ExportSignatures,
  ) {}

  async execute({ request }: ExportContextQuery): Promise<AsyncIterable<string>> {
    return this.#lines(await this.chain.find(request), request.signal);
  }

  async *#lines(id: ContextId, signal?: AbortSignal): AsyncGenerator<string, void, void> {
    const writer = new EventsJsonlWriter();
    const signed = new SignedLines(writer, this.signatures);
    yield writer.header();
    for await (const { events, broken } of this.chain.pages(id, signal)) {
      const lines = events.map((event) =>
        signed.event({ ...id, ...event }, openEnvelope(event.metadata).hash),
      );
      if (lines.length > 0) yield lines.join('');
      if (broken) return yield writer.failure({ contextId: id.contextId, ...broken });
    }
    yield signed.end() + writer.trailer();
  }
}
