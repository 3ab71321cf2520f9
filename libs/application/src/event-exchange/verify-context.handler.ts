import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';

import { type ChainBreak, type ChainEnd } from '#event-sourcing';

import { ContextChain } from './context-chain.js';
import { type ChainVerdict, VerifyContextQuery } from './event-exchange.messages.js';

@QueryHandler(VerifyContextQuery)
export class VerifyContextHandler implements IQueryHandler<VerifyContextQuery> {
  constructor(private readonly chain: ContextChain) {}

  async execute({ request }: VerifyContextQuery): Promise<ChainVerdict> {
    const id = await this.chain.find(request);
    let end: ChainEnd = { version: 0, hash: null };
    let broken: ChainBreak | null = null;
    for await (const page of this.chain.pages(id, request.signal)) ({ end, broken } = page);
    return { contextId: id.contextId, events: end.version, lastHash: end.hash, broken };
  }
}
