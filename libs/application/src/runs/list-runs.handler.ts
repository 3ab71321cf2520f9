import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { type Kysely } from 'kysely';

import { type Database } from '#database';
import { type JsonObject } from '#event-sourcing';
import { type ListedRun, listRuns } from '#read-models';
import { type Item, publicApprovalId, runFacts, stepFacts } from '#shared-context';

import { requireFullVisibility } from '../access/reach.js';
import { DATABASE, PROJECTION_LAG, type ProjectionLag } from '../tokens.js';
import { decodeRunCursor, encodeRunCursor } from './run-cursor.js';
import { ListRunsQuery } from './runs.messages.js';

@QueryHandler(ListRunsQuery)
export class ListRunsHandler implements IQueryHandler<ListRunsQuery> {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<Database>,
    @Inject(PROJECTION_LAG) private readonly lag: ProjectionLag,
  ) {}

  async execute({ principal, page: { cursor, limit }, filter }: ListRunsQuery) {
    requireFullVisibility(principal);
    const { workspace, contexts, workflows } = principal;
    const after = decodeRunCursor(cursor);
    // Read before the rows, so that the reported lag is never less than that of the rows.
    const lag = (await this.lag()) ?? null;
    const runFilter = { workspace, contexts, workflows, ...filter };
    const found = await listRuns(this.db, runFilter, { after, limit: limit + 1 });
    const last = found.length > limit ? found[limit - 1]?.position : undefined;
    const items = found.slice(0, limit).map(renderListedRun);
    return { page: { items, nextCursor: last ? encodeRunCursor(last) : null }, lag };
  }
}

function renderListedRun({ id: { contextId }, title, item, waiting }: ListedRun): JsonObject {
  const { runId, definitionId, definitionVersion: version, status, reason } = runFacts(item);
  const { startedAt, startedBy, endedAt } = runFacts(item);
  return {
    contextId,
    title,
    runId,
    definition: { definitionId, version },
    status,
    reason,
    startedAt,
    startedBy,
    endedAt,
    waitsFor: waiting.map((step) => renderWait(contextId, step)),
  };
}

/** The agent or the approval that a step waits for, and since when. */
function renderWait(contextId: string, item: Item): JsonObject {
  const { agent, approval, path, dueAt } = stepFacts(item);
  const step = { stepId: item.key, path };
  if (!approval) return { kind: 'agent', agent, ...step, since: dueAt };
  const { requestedAt: since, message, expiresAt } = approval;
  const approvalId = publicApprovalId(contextId, approval.approvalId);
  return { kind: 'person', ...step, since, approvalId, message, expiresAt };
}
