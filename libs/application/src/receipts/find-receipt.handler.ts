import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';

import { type ReceiptFacts } from '#context-views';

import { type Principal } from '../access/principal.js';
import { CitedTexts } from './cited-texts.js';
import { CitingEvents } from './citing-events.js';
import { ReceiptErasedError } from './receipt.errors.js';
import { type OpenReceipt, ReceiptAccess } from './receipt-access.js';
import { FindReceiptQuery, type ReceiptView, type TextMissing } from './receipt.messages.js';
import { ShownAgain } from './shown-again.js';

type Text = Pick<ReceiptView, 'text' | 'kept' | 'missing'>;

@QueryHandler(FindReceiptQuery)
export class FindReceiptHandler implements IQueryHandler<FindReceiptQuery> {
  constructor(
    private readonly access: ReceiptAccess,
    private readonly texts: CitedTexts,
    private readonly again: ShownAgain,
    private readonly citing: CitingEvents,
  ) {}

  async execute({ request }: FindReceiptQuery): Promise<ReceiptView> {
    const { principal, receipt } = request;
    const opened = await this.access.open(principal, receipt);
    const { contextId, version, audience, kind, parameters, renderer, hash } = opened.facts;
    const text = await this.#text(opened, principal);
    const { events, truncated } = await this.citing.list(principal, receipt, opened);
    return {
      ...{ receipt, contextId, version, audience, kind, parameters, renderer, hash },
      ...{ citedBy: events, citedByTruncated: truncated },
      ...text,
    };
  }

  async #text({ facts, isItsOwn }: OpenReceipt, principal: Principal): Promise<Text> {
    const stored = await this.texts.find(facts);
    if (stored && stored.text === null)
      throw new ReceiptErasedError('an erasure removed data from what this receipt stands for');
    // What a policy no longer shows is not shown for having been shown once.
    if (!isItsOwn) return { text: null, kept: stored !== undefined, missing: 'other-policy' };
    if (stored) return { text: stored.text, kept: true, missing: null };
    const text = await this.again.find(facts, principal);
    if (text !== undefined) return { text, kept: false, missing: null };
    return { text: null, kept: false, missing: this.#whyMissing(facts) };
  }

  #whyMissing(facts: ReceiptFacts): TextMissing {
    if (facts.kind === 'prompt' || !facts.parameters) return 'not-repeatable';
    return this.again.isOfThisRenderer(facts) ? 'changed' : 'other-renderer';
  }
}
