import { Injectable } from '@nestjs/common';

import { type ReceiptFacts } from '#context-views';
import { type VisibilityFilter } from '#visibility';

import { readingAs } from '../access/claimed-agents.js';
import { seesEverything } from '../access/reach.js';
import { type Principal } from '../access/principal.js';
import { Audiences } from '../audiences/audiences.js';
import { ResourceNotFoundError } from '../errors.js';
import { AuthorizedContextReader } from '../reading/authorized-context-reader.js';
import { Receipts } from '../receipts/receipts.js';

/**
 * A receipt that the reader may open. `isItsOwn`: the policy of the reader is still the one under which the receipt was
 * issued.
 */
export type OpenReceipt = Readonly<{
  facts: ReceiptFacts;
  filter: VisibilityFilter | undefined;
  isItsOwn: boolean;
}>;

/** Opens receipts for a principal: forged, foreign and unreachable receipts cause the same error. */
@Injectable()
export class ReceiptAccess {
  constructor(
    private readonly receipts: Receipts,
    private readonly contexts: AuthorizedContextReader,
    private readonly audiences: Audiences,
  ) {}

  async open(principal: Principal, receipt: string): Promise<OpenReceipt> {
    const opened = await this.find(principal, receipt);
    if (!opened) throw new ResourceNotFoundError('there is no such receipt');
    return opened;
  }

  async find(principal: Principal, receipt: string): Promise<OpenReceipt | undefined> {
    const facts = this.receipts.open(receipt);
    if (!facts || facts.workspace !== principal.workspace) return undefined;
    const reader = readingAs(principal, facts.agentId);
    if (!isForReader(reader, facts)) return undefined;
    if (!(await this.contexts.isReached(principal, facts.contextId))) return undefined;
    if (seesEverything(principal)) return { facts, filter: undefined, isItsOwn: true };
    const access = await this.audiences.open(reader, facts.audience);
    return 'refusal' in access
      ? undefined
      : { facts, filter: access.filter, isItsOwn: access.tag === facts.policy };
  }
}

/** A reader who does not see everything may open only receipts of the agent of its key, for an audience of that key. */
function isForReader(principal: Principal, { audience, agentId }: ReceiptFacts): boolean {
  return (
    seesEverything(principal) ||
    (principal.audiences.includes(audience) && principal.agentId === agentId)
  );
}
