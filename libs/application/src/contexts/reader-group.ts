import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';

import { type Principal } from '../access/principal.js';
import { AuthorizedContextReader } from '../reading/authorized-context-reader.js';
import { Receipts } from '../receipts/receipts.js';

type GroupRequest = Readonly<{
  principal: Principal;
  contextId: string;
  audience?: string | undefined;
}>;

/** Returns the same name for principals that see the same document of a context, if each of them reaches it. */
export class FindReaderGroupQuery extends Query<string> {
  constructor(readonly request: GroupRequest) {
    super();
  }
}

@QueryHandler(FindReaderGroupQuery)
export class FindReaderGroupHandler implements IQueryHandler<FindReaderGroupQuery> {
  constructor(private readonly contexts: AuthorizedContextReader) {}

  async execute({ request }: FindReaderGroupQuery): Promise<string> {
    const { contexts, workflows } = request.principal;
    // A document shows the children that the key reaches.
    return JSON.stringify([this.contexts.shared(request).name, contexts, workflows]);
  }
}

/** The receipt of a read for another principal who gets the same text: it names the agent that reads. */
export class ReissueReceiptQuery extends Query<string> {
  constructor(
    readonly receipt: string,
    readonly principal: Principal,
  ) {
    super();
  }
}

@QueryHandler(ReissueReceiptQuery)
export class ReissueReceiptHandler implements IQueryHandler<ReissueReceiptQuery> {
  constructor(private readonly receipts: Receipts) {}

  async execute({ receipt, principal }: ReissueReceiptQuery): Promise<string> {
    return this.receipts.reissue(receipt, principal);
  }
}
