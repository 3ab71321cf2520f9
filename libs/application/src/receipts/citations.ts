import { Inject, Injectable } from '@nestjs/common';

import { type ReceiptFacts } from '#context-views';
import { ContextReader } from '#read-models';

import { reaches } from '../access/reach.js';
import { type Principal } from '../access/principal.js';
import { type WriteRequest } from '../writing/write-context.command.js';
import { CitedTexts } from './cited-texts.js';
import { InvalidReceiptError } from './receipt.errors.js';
import { Receipts, hasReceiptForm } from './receipts.js';
import { TextReproducer } from './text-reproducer.js';

const invalid = 'Based-On is no receipt of a read in reach of this key';

/** What writes cite. Whoever cites nothing pays nothing. */
@Injectable()
export class Citations {
  constructor(
    private readonly receipts: Receipts,
    private readonly texts: CitedTexts,
    private readonly again: TextReproducer,
    @Inject(ContextReader) private readonly reader: ContextReader,
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
    if (facts.contextId !== contextId) await this.#requireReach(facts, principal);
    if (await this.texts.has(facts)) return;
    const text = await this.again.find(facts, principal);
    if (text !== undefined) await this.texts.keep(facts, text);
  }

  async #requireReach(facts: ReceiptFacts, principal: Principal): Promise<void> {
    const { head } = await this.reader.read(facts, { keys: [], bodies: false });
    if (!head || !reaches(principal, head)) throw new InvalidReceiptError(invalid);
  }
}
