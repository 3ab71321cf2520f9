import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { type Kysely } from 'kysely';

import { type Database } from '#database';
import { type JsonObject } from '#event-sourcing';
import { type ContextHead, type ListPlace, listContexts } from '#read-models';

import { renderCurrentState } from '#shared-context';

import { seesWhole } from '../access/authorize.js';
import { InvalidInputError } from '../errors.js';
import { parseRfc3339 } from '../rfc3339.js';
import { DATABASE, PROJECTION_LAG, type ProjectionLag } from '../tokens.js';
import { ListContextsQuery } from './context.queries.js';
import { decodeCursor, encodeCursor } from './cursor.js';

@QueryHandler(ListContextsQuery)
export class ListContextsHandler implements IQueryHandler<ListContextsQuery> {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<Database>,
    @Inject(PROJECTION_LAG) private readonly lag: ProjectionLag,
  ) {}

  async execute({ request }: ListContextsQuery) {
    const { principal, cursor, limit, updatedSince, status, workflow, parent, agent } = request;
    const { workspace, contexts, workflows } = principal;
    const filter = {
      workspace,
      // A narrower audience has no view of a list either.
      contexts: seesWhole(principal) ? contexts : [],
      workflows,
      status,
      workflow,
      parent,
      agent,
      updatedSince: instant(updatedSince),
    };
    const lag = await this.lag();
    const found = await listContexts(this.db, filter, { after: placeOf(cursor), limit: limit + 1 });
    const heads = found.slice(0, limit);
    const last = heads.at(-1);
    const nextCursor =
      found.length > limit && last ? encodeCursor([last.createdAt, last.contextId]) : null;
    return { page: { items: heads.map(showHead), nextCursor }, lag: lag ?? null };
  }
}

/** Members of later areas stand as they do in a context that nothing was said about. */
function showHead(head: ContextHead): JsonObject {
  return {
    contextId: head.contextId,
    workspace: head.workspace,
    title: head.title,
    status: head.status,
    workflow: head.workflowId,
    parent: head.parent,
    createdAt: head.createdAt,
    createdBy: head.createdBy,
    updatedAt: head.modifiedAt,
    updatedBy: head.modifiedBy,
    version: Math.max(head.version, 1),
    ...currentStateOf(head),
    openBlockers: 0,
    breakersNearLimit: [],
    events: Math.max(head.version, 1),
    bytes: head.bytes,
    tokens: head.tokens,
  };
}

function currentStateOf({ activity }: ContextHead): JsonObject {
  const { phase = null, activeAgent = null } = renderCurrentState(activity);
  return { phase, activeAgent };
}

function placeOf(cursor: string | undefined): ListPlace | undefined {
  if (cursor === undefined) return undefined;
  const [createdAt = '', contextId = ''] = decodeCursor(cursor, 2);
  return { createdAt, contextId };
}

function instant(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const time = parseRfc3339(text);
  if (time === undefined)
    throw new InvalidInputError([
      {
        pointer: '/updatedSince',
        detail: 'must be an RFC 3339 time with offset, as 2026-01-25T10:00:00Z',
      },
    ]);
  return time;
}
