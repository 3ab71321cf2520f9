import { Injectable } from '@nestjs/common';

import { type ReceiptFacts } from '#context-views';

import { AuthorizedContextReader } from '../reading/authorized-context-reader.js';
import { TextReproducer } from '../receipt-replay/text-reproducer.js';
import { CitedTexts } from '../receipts/cited-texts.js';
import { InvalidReceiptError } from '../receipts/receipt.errors.js';
import { Receipts, hasReceiptForm } from '../receipts/receipts.js';

import { type WriteRequest } from './write-context.command.js';

const invalid = 'Based-On is no receipt of a read in reach of this key';

/** What writes cite. Whoever cites nothing pays nothing. */
@Injectable()
export class Citations {
  constructor(
    private readonly receipts: Receipts,
    private readonly texts: CitedTexts,
    private readonly again: TextReproducer,
    private readonly contexts: AuthorizedContextReader,
  ) {}

  /**
   * What a write says it is based on; undefined for nothing, and for words that have not the form of a receipt: they may
   * be another system's, and are kept as they are.
   */
  open({ principal, origin }: WriteRequest): ReceiptFacts | undefined {
    const { basedOn } = origin ?? {};
    if (basedOn === undefined || !hasReceiptForm(basedOn)) return undefined;
    const facts = this.receipts.open(basedOn);
    if (facts?.workspace !== principal.workspace) throw new InvalidReceiptError(invalid);
    return facts;
  }

  /**
   * Keeps what was shown before the write is decided: a text that nothing cites does no harm, an event without its text
   * would. Where it cannot be made again the write goes on, and the receipt says so.
   */
  async keep(facts: ReceiptFacts, { principal, contextId }: WriteRequest): Promise<void> {
    const isReached =
      facts.contextId === contextId || (await this.contexts.isReached(principal, facts.contextId));
    if (!isReached) throw new InvalidReceiptError(invalid);
    if (await this.texts.has(facts)) return;
    const text = await this.again.find(facts, principal);
    if (text !== undefined) await this.texts.keep(facts, text);
  }
}
