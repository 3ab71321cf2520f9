import { Injectable } from '@nestjs/common';

import { type Gate, type ReceiptFacts } from '#context-views';
import { wholeDocument } from '#read-models';

import { type Principal } from '../access/principal.js';
import { Families } from '../families/families.js';
import { Documents } from '../reading/documents.js';
import { ReachableContext } from '../reading/reachable-context.js';

/** What a receipt is of, as it was seen through `gate`, for a principal that may know of it. */
export type AskedAgain = Readonly<{
  facts: ReceiptFacts;
  gate: Gate | undefined;
  principal: Principal;
}>;

/** Makes documents again as they were of a version, as far as that is known. */
@Injectable()
export class DocumentsAgain {
  constructor(
    private readonly contexts: ReachableContext,
    private readonly documents: Documents,
    private readonly families: Families,
  ) {}

  async render({ facts, gate, principal }: AskedAgain): Promise<string | undefined> {
    const { version, policy: tag, parameters } = facts;
    const read = await this.contexts.gated.read({ id: facts, version, gate }, wholeDocument);
    if (!read.head) return undefined;
    const snapshot = { head: read.head, state: read.state, gate, tag };
    const asOf = parameters?.['asOf'];
    const reader = { principal, asOf: typeof asOf === 'string' ? asOf : undefined };
    const family = await this.families.of(snapshot, reader);
    return JSON.stringify(await this.documents.render(snapshot, family));
  }
}
