import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';

import { type Kysely } from 'kysely';

import { type Database } from '#database';
import { type JsonObject } from '#event-sourcing';
import { listItemHistory } from '#read-models';
import { renderStepOutput } from '#shared-context';

import { DATABASE } from '../tokens.js';
import { ContextChanges } from './context-changes.js';
import { FindStepOutputQuery, ListStepOutputsQuery } from './context.queries.js';
import { decodeVersion, encodeCursor } from './cursor.js';
import { withinBytes } from './page-bytes.js';
import { ReachableContext } from './reachable-context.js';

type Found = Readonly<{ version: number; output: JsonObject | null }>;

@QueryHandler(FindStepOutputQuery)
export class FindStepOutputHandler implements IQueryHandler<FindStepOutputQuery> {
  constructor(
    private readonly contexts: ReachableContext,
    private readonly changes: ContextChanges,
  ) {}

  async execute({ request }: FindStepOutputQuery): Promise<Found> {
    const { waitSeconds = 0, asOf } = request;
    return waitSeconds > 0 && asOf === undefined
      ? this.#wait(request, waitSeconds)
      : this.#find(request);
  }

  async #wait(request: FindStepOutputQuery['request'], seconds: number): Promise<Found> {
    const until = Date.now() + seconds * 1000;
    const watch = await this.changes.watch({
      workspace: request.principal.workspace,
      contextId: request.contextId,
    });
    try {
      for (;;) {
        const found = await this.#find(request);
        const left = until - Date.now();
        if (found.output || left <= 0 || this.changes.stopping) return found;
        await watch.next(left, request.signal);
      }
    } finally {
      watch.close();
    }
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
    const after = cursor === undefined ? 0 : decodeVersion(cursor);
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
