import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';

import { type Kysely } from 'kysely';

import { type Database } from '#database';
import { type JsonObject } from '#event-sourcing';
import { beforeAll, listItemHistory } from '#read-models';
import { renderStepOutput } from '#shared-context';

import { DATABASE } from '../tokens.js';
import { ContextChanges } from './context-changes.js';
import { FindStepOutputQuery, ListStepOutputsQuery } from './context.queries.js';
import { decodeInheritedVersion, encodeCursor } from './cursor.js';
import { longPoll } from './long-poll.js';
import { withinBytes } from './page-bytes.js';
import { ReachableContext } from './reachable-context.js';

type Found = Readonly<{ version: number; output: JsonObject | null }>;

@QueryHandler(FindStepOutputQuery)
export class FindStepOutputHandler implements IQueryHandler<FindStepOutputQuery> {
  constructor(
    private readonly contexts: ReachableContext,
    private readonly changes: ContextChanges,
  ) {}

  execute({ request }: FindStepOutputQuery): Promise<Found> {
    const { principal, contextId, waitSeconds = 0, asOf, signal } = request;
    const id = { workspace: principal.workspace, contextId };
    const poll = {
      changes: this.changes,
      watch: () => this.changes.watch(id),
      seconds: asOf === undefined ? waitSeconds : 0,
      signal,
    };
    return longPoll(
      poll,
      () => this.#find(request),
      ({ output }) => output !== null,
    );
  }

  async #find(request: FindStepOutputQuery['request']): Promise<Found> {
    const key = { kind: 'step-output', key: request.stepId } as const;
    const { head, state } = await this.contexts.read(request, { keys: [key], bodies: true });
    const item = state.get(key.kind, key.key);
    return { version: head.version, output: item ? renderStepOutput(item) : null };
  }
}

@QueryHandler(ListStepOutputsQuery)
export class ListStepOutputsHandler implements IQueryHandler<ListStepOutputsQuery> {
  constructor(
    private readonly contexts: ReachableContext,
    @Inject(DATABASE) private readonly db: Kysely<Database>,
  ) {}

  async execute({ request }: ListStepOutputsQuery) {
    const { stepId, limit, cursor } = request;
    const { head } = await this.contexts.read(request, { keys: [], bodies: false });
    const after = cursor === undefined ? beforeAll : decodeInheritedVersion(cursor);
    const range = { after, until: head.version, limit: limit + 1 };
    const source = { db: this.db, reader: this.contexts.reader };
    const found = await listItemHistory(source, head, { kind: 'step-output', key: stepId }, range);
    const page = found.slice(
      0,
      withinBytes(found.slice(0, limit), ({ body }) => JSON.stringify(body).length),
    );
    const last = page.at(-1);
    const nextCursor =
      found.length > page.length && last ? encodeCursor([String(last.fromVersion)]) : null;
    return { version: head.version, page: { items: page.map(renderStepOutput), nextCursor } };
  }
}
