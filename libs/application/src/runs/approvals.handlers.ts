import { Inject } from '@nestjs/common';
import {
  CommandHandler,
  type ICommandHandler,
  type IQueryHandler,
  QueryHandler,
} from '@nestjs/cqrs';
import { type Kysely } from 'kysely';

import { type Database } from '#database';
import { type JsonObject } from '#event-sourcing';
import { type ListedWork, listWork } from '#read-models';
import { NotFoundError, contextId as contextIdSchema, stepFacts } from '#shared-context';

import { requirePerson, requireWholeSight } from '../access/authorize.js';
import { decodePlace, encodePlace } from '../inbox/inbox-cursor.js';
import { DATABASE, PROJECTION_LAG, type ProjectionLag } from '../tokens.js';
import { type WriteAnswer } from '../writing/write-context.command.js';
import { RunWriter } from './run-writer.js';
import { DecideApprovalCommand, ListApprovalsQuery } from './runs.messages.js';

@CommandHandler(DecideApprovalCommand)
export class DecideApprovalHandler implements ICommandHandler<DecideApprovalCommand> {
  constructor(private readonly writer: RunWriter) {}

  async execute({ request, approvalId, verdict }: DecideApprovalCommand): Promise<WriteAnswer> {
    const { principal } = request;
    requirePerson(principal, 'decisions about runs need a person, not an agent key');
    requireWholeSight(principal);
    // The id begins with that of the context, so that nothing has to be looked up.
    const [contextId = '', runId] = approvalId.split('~');
    if (!contextIdSchema.safeParse(contextId).success || runId === undefined)
      throw new NotFoundError('approval', approvalId);
    const found = await this.writer.find({ principal, contextId }, runId);
    const happening = { type: 'decide', ...verdict, approvalId, by: principal.name } as const;
    return this.writer.advance({ ...request, contextId }, found, happening);
  }
}

@QueryHandler(ListApprovalsQuery)
export class ListApprovalsHandler implements IQueryHandler<ListApprovalsQuery> {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<Database>,
    @Inject(PROJECTION_LAG) private readonly lag: ProjectionLag,
  ) {}

  async execute({ principal, page: { cursor, limit } }: ListApprovalsQuery) {
    requireWholeSight(principal);
    const { workspace, contexts, workflows } = principal;
    const any = [{ assignee: null, due: true }];
    const filter = { workspace, any, contexts, workflows, kind: 'run-step' } as const;
    const after = decodePlace(cursor);
    // Read before the rows, so that the reported lag is never less than theirs.
    const lag = (await this.lag()) ?? null;
    const found = await listWork(this.db, filter, { after, limit: limit + 1 });
    const last = found.length > limit ? found[limit - 1]?.place : undefined;
    const items = found.slice(0, limit).flatMap(renderApproval);
    return { page: { items, nextCursor: last ? encodePlace(last) : null }, lag };
  }
}

function renderApproval({ id, title, item }: ListedWork): readonly JsonObject[] {
  const { approval, path, visit } = stepFacts(item);
  if (!approval) return [];
  const { approvalId, message, authors, requestedAt, expiresAt, byDefault } = approval;
  return [
    {
      ...{ approvalId, contextId: id.contextId, title, stepId: item.key, path, visit, message },
      ...{ authors, requestedAt, expiresAt, byDefault },
    },
  ];
}
