import { Injectable } from '@nestjs/common';

import { type ReceiptFacts } from '#context-views';
import { type DecodedEvent } from '#shared-context';

import { seesEverything } from '../access/reach.js';
import { type Principal } from '../access/principal.js';
import { Receipts } from '../receipts/receipts.js';
import { ReceiptAccess } from './receipt-access.js';
import { type Basis } from './receipt.messages.js';

/** `facts` are those of a valid receipt. `shown` is the part that the reader may know, null if nothing is cited. */
type BasisResult = Readonly<{ shown: Basis | null; facts: ReceiptFacts | undefined }>;

type CitedReceipt = Readonly<{ basedOn: string; facts: ReceiptFacts; contextId: string }>;

const unknown = { contextId: null, version: null, audience: null, kind: null };

/** Finds the receipt that an event cites. */
@Injectable()
export class BasisOfDecision {
  constructor(
    private readonly receipts: Receipts,
    private readonly access: ReceiptAccess,
  ) {}

  async find(
    principal: Principal,
    { envelope: { basedOn } }: Pick<DecodedEvent, 'envelope'>,
    contextId: string,
  ): Promise<BasisResult> {
    if (basedOn === null) return { shown: null, facts: undefined };
    const facts = this.receipts.open(basedOn);
    if (facts) return this.#ofReceipt(principal, { basedOn, facts, contextId });
    // A text that is not a receipt may mention hidden data.
    const receipt = seesEverything(principal) ? basedOn : null;
    return { shown: { receipt, ...unknown }, facts: undefined };
  }

  async #ofReceipt(
    principal: Principal,
    { basedOn, facts, contextId }: CitedReceipt,
  ): Promise<BasisResult> {
    const isHere = facts.workspace === principal.workspace && facts.contextId === contextId;
    const isOpen = (await this.access.find(principal, basedOn)) !== undefined;
    const receipt = isOpen ? basedOn : null;
    if (!isHere && !isOpen) return { shown: { receipt, ...unknown }, facts: undefined };
    const { version, audience, kind } = facts;
    const shown = { receipt, contextId: facts.contextId, version, audience, kind };
    return { shown, facts: isHere ? facts : undefined };
  }
}
