import { Injectable } from '@nestjs/common';

import { type Principal } from '../access/principal.js';
import { type CitedText, CitedTexts } from '../receipts/cited-texts.js';
import { ReceiptErasedError } from '../receipts/receipt.errors.js';
import { FamilyReach } from './family-reach.js';
import { type OpenReceipt } from './receipt-access.js';
import { type ReceiptView } from './receipt.messages.js';
import { TextReproducer } from './text-reproducer.js';

type TextResult = Pick<ReceiptView, 'text' | 'kept' | 'missing'>;

/** Finds the texts of receipts, as far as a key may see them. */
@Injectable()
export class ReceiptText {
  constructor(
    private readonly texts: CitedTexts,
    private readonly reproducer: TextReproducer,
    private readonly family: FamilyReach,
  ) {}

  /** Throws ReceiptErasedError if the text was erased. */
  async find({ facts, isItsOwn }: OpenReceipt, principal: Principal): Promise<TextResult> {
    const stored = await this.texts.find(facts);
    if (stored && stored.text === null)
      throw new ReceiptErasedError('an erasure removed data from the text of this receipt');
    const kept = stored !== undefined;
    // A text that was readable under an earlier policy is not returned under the current one.
    if (!isItsOwn) return { text: null, kept, missing: 'other-policy' };
    return (await this.family.isWhole(facts, principal))
      ? this.#fullText(facts, principal, stored)
      : this.#textWithinReach(facts, principal, kept);
  }

  async #fullText(
    facts: OpenReceipt['facts'],
    principal: Principal,
    stored: CitedText | undefined,
  ): Promise<TextResult> {
    if (stored) return { text: stored.text, kept: true, missing: null };
    const text = await this.reproducer.find(facts, principal);
    const found = { text: text ?? null, kept: false };
    return { ...found, missing: text === undefined ? this.reproducer.whyMissing(facts) : null };
  }

  /**
   * A text that is rendered again for a key reveals nothing beyond its reach; a prompt can only come from the cache, so
   * it is not returned.
   */
  async #textWithinReach(
    facts: OpenReceipt['facts'],
    principal: Principal,
    kept: boolean,
  ): Promise<TextResult> {
    const text = facts.kind === 'prompt' ? undefined : await this.reproducer.find(facts, principal);
    return { text: text ?? null, kept, missing: text === undefined ? 'out-of-reach' : null };
  }
}
