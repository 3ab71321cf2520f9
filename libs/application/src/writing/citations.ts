import { Injectable } from '@nestjs/common';

import { type ReceiptFacts } from '#context-views';

import { AuthorizedContextReader } from '../reading/authorized-context-reader.js';
import { TextReproducer } from '../receipt-replay/text-reproducer.js';
import { CitedTexts } from '../receipts/cited-texts.js';
import { InvalidReceiptError } from '../receipts/receipt.errors.js';
import { Receipts, hasReceiptForm } from '../receipts/receipts.js';

import { type WriteRequest } from './write-context.command.js';

const invalid = 'Based-On is not the receipt of a read that this key has access to';

/** Checks the receipts that writes cite, and stores the cited texts. Writes that cite nothing cost nothing. */
@Injectable()
export class Citations {
  constructor(
    private readonly receipts: Receipts,
    private readonly texts: CitedTexts,
    private readonly reproducer: TextReproducer,
    private readonly contexts: AuthorizedContextReader,
  ) {}

  /**
   * The receipt that a write cites. Undefined if it cites nothing, or if the value does not have the form of a receipt:
   * it may belong to another system, and is stored unchanged.
   */
  open({ principal, origin }: WriteRequest): ReceiptFacts | undefined {
    const { basedOn } = origin ?? {};
    if (basedOn === undefined || !hasReceiptForm(basedOn)) return undefined;
    const facts = this.receipts.open(basedOn);
    if (facts?.workspace !== principal.workspace) throw new InvalidReceiptError(invalid);
    return facts;
  }

  /**
   * Stores the cited text before the write is decided: a text without a citation is harmless, an event whose cited text
   * is missing is not. If the text cannot be reproduced, the write continues, and the receipt reports that the text is
   * missing.
   */
  async storeText(facts: ReceiptFacts, { principal, contextId }: WriteRequest): Promise<void> {
    const isReached =
      facts.contextId === contextId || (await this.contexts.isReached(principal, facts.contextId));
    if (!isReached) throw new InvalidReceiptError(invalid);
    if (await this.texts.has(facts)) return;
    const text = await this.reproducer.find(facts, principal);
    if (text !== undefined) await this.texts.store(facts, text);
  }
}
