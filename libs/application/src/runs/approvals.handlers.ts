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
import {
  NotFoundError,
  approvalPlaceIn,
  contextId as contextIdSchema,
  publicApprovalId,
  stepFacts,
} from '#shared-context';
import { type Decider } from '#workflow';

import { requirePerson } from '../access/authorize.js';
import { requireFullVisibility } from '../access/reach.js';
import { type Principal } from '../access/principal.js';
import { decodeInboxCursor, encodeInboxCursor } from '../paging/inbox-cursor.js';
import { DATABASE, PROJECTION_LAG, type ProjectionLag } from '../tokens.js';
import { type WriteAnswer } from '../writing/write-context.command.js';
import { type FoundRun } from './run-definitions.js';
import { RunWriter } from './run-writer.js';
import { AnswerDoubtCommand, DecideApprovalCommand, ListApprovalsQuery } from './runs.messages.js';

@CommandHandler(DecideApprovalCommand)
export class DecideApprovalHandler implements ICommandHandler<DecideApprovalCommand> {
  constructor(private readonly writer: RunWriter) {}

  async execute({ request, approvalId, verdict }: DecideApprovalCommand): Promise<WriteAnswer> {
    const { principal } = request;
    const { contextId, ownId, found } = await findApproval(this.writer, principal, approvalId);
    const runCommand = { type: 'decide', ...verdict, approvalId: ownId } as const;
    const by = deciderFor(principal);
    return this.writer.advance({ ...request, contextId }, found, { ...runCommand, by });
  }
}

@CommandHandler(AnswerDoubtCommand)
export class AnswerDoubtHandler implements ICommandHandler<AnswerDoubtCommand> {
  constructor(private readonly writer: RunWriter) {}

  async execute({ request, approvalId, answer }: AnswerDoubtCommand): Promise<WriteAnswer> {
    const { principal } = request;
    const { contextId, ownId, found } = await findApproval(this.writer, principal, approvalId);
    const runCommand = { type: 'answer', ...answer, approvalId: ownId } as const;
    const by = deciderFor(principal);
    return this.writer.advance({ ...request, contextId }, found, { ...runCommand, by });
  }
}

/** Finds the run of an approval, and the id of the approval within its context. Requires a person who sees everything. */
async function findApproval(
  writer: RunWriter,
  principal: Principal,
  approvalId: string,
): Promise<Readonly<{ contextId: string; ownId: string; found: FoundRun }>> {
  requirePerson(principal, 'decisions about runs need a person, not an agent key');
  requireFullVisibility(principal);
  const place = approvalPlaceIn(approvalId);
  if (!place || !contextIdSchema.safeParse(place.contextId).success)
    throw new NotFoundError('approval', approvalId);
  const { contextId, runId } = place;
  const found = await writer.find({ principal, contextId });
  // An approval of an earlier run ended with that run.
  if (found.run.runId !== runId) throw new NotFoundError('approval', approvalId);
  return { contextId, ownId: place.approvalId, found };
}

/** The principal and the agents that its key names. A key for every agent (`*`) does not count as the author of their work. */
function deciderFor({ name, actsFor }: Principal): Decider {
  return { principal: name, agents: actsFor.filter((agent) => agent !== '*') };
}

@QueryHandler(ListApprovalsQuery)
export class ListApprovalsHandler implements IQueryHandler<ListApprovalsQuery> {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<Database>,
    @Inject(PROJECTION_LAG) private readonly lag: ProjectionLag,
  ) {}

  async execute({ principal, page: { cursor, limit }, contextId }: ListApprovalsQuery) {
    requireFullVisibility(principal);
    const { workspace, contexts, workflows } = principal;
    const any = [{ assignee: null, due: true }];
    const kind = 'run-step';
    const filter = { workspace, any, contexts, workflows, kind, contextId } as const;
    const after = decodeInboxCursor(cursor);
    // Read before the rows, so that the reported lag is never less than that of the rows.
    const lag = (await this.lag()) ?? null;
    const found = await listWork(this.db, filter, { after, limit: limit + 1 });
    const last = found.length > limit ? found[limit - 1]?.position : undefined;
    const items = found.slice(0, limit).flatMap(renderApproval);
    return { page: { items, nextCursor: last ? encodeInboxCursor(last) : null }, lag };
  }
}

function renderApproval({ id, title, item }: ListedWork): readonly JsonObject[] {
  const { approval, path, visit } = stepFacts(item);
  if (!approval) return [];
  const { message, authors, requestedAt, expiresAt, byDefault, attempt } = approval;
  const { contextId } = id;
  return [
    {
      approvalId: publicApprovalId(contextId, approval.approvalId),
      contextId,
      title,
      stepId: item.key,
      path,
      visit,
      attempt,
      message,
      authors: authors.map(({ principal, agent = null }) => ({ principal, agent })),
      requestedAt,
      expiresAt,
      byDefault,
    },
  ];
}
