import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';

import { CitingEvents } from './citing-events.js';
import { missingDetail } from './missing-text.js';
import { ReceiptAccess } from './receipt-access.js';
import { FindReceiptQuery, type ReceiptView } from './receipt.messages.js';
import { ReceiptText } from './receipt-text.js';

@QueryHandler(FindReceiptQuery)
export class FindReceiptHandler implements IQueryHandler<FindReceiptQuery> {
  constructor(
    private readonly access: ReceiptAccess,
    private readonly texts: ReceiptText,
    private readonly citing: CitingEvents,
  ) {}

  async execute({ request }: FindReceiptQuery): Promise<ReceiptView> {
    const { principal, receipt } = request;
    const opened = await this.access.open(principal, receipt);
    const { contextId, version, audience, kind, parameters, renderer, hash } = opened.facts;
    const text = await this.texts.find(opened, principal);
    const { events, truncated } = await this.citing.list(principal, receipt, opened);
    return {
      receipt,
      contextId,
      version,
      audience,
      kind,
      parameters,
      renderer,
      hash,
      citedBy: events,
      citedByTruncated: truncated,
      ...text,
      missingDetail: text.missing && missingDetail(opened.facts, text.missing),
    };
  }
}
