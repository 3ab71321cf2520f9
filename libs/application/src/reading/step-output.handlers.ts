import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';

import { type Kysely } from 'kysely';

import { type Database } from '#database';
import { gateValues } from '#context-views';
import { type JsonObject } from '#event-sourcing';
import { beforeAll, listItemHistory } from '#read-models';
import { renderStepOutput } from '#shared-context';

import { DATABASE } from '../tokens.js';
import { ContextChanges } from './context-changes.js';
import { FindStepOutputQuery, ListStepOutputsQuery, type Seen } from './context.queries.js';
import { decodeInheritedVersion, encodeCursor } from './cursor.js';
import { longPoll } from './long-poll.js';
import { withinBytes } from './page-bytes.js';
import { ReachableContext, seenOf } from './reachable-context.js';

/** How many of them are seen is known once they are looked at. */
const everyValue = Number.MAX_SAFE_INTEGER;

type Found = Seen & Readonly<{ output: JsonObject | null }>;

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
    const snapshot = await this.contexts.read(request, { keys: [key], bodies: true });
    const item = snapshot.state.get(key.kind, key.key);
    return { ...seenOf(snapshot), output: item ? renderStepOutput(item) : null };
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
    // Of the step itself only whether it has failed is asked: it may decide what of it is seen.
    const step = { kind: 'step-output', key: stepId } as const;
    const snapshot = await this.contexts.read(request, { keys: [step], bodies: false });
    const { head, gate } = snapshot;
    const after = cursor === undefined ? beforeAll : decodeInheritedVersion(cursor);
    const range = { after, until: head.version, limit: gate ? everyValue : limit + 1 };
    const source = { db: this.db, reader: this.contexts.reader };
    const values = await listItemHistory(source, head, step, range);
    const found = gate ? gateValues(gate, values, snapshot.state.values()) : values;
    const page = found.slice(
      0,
      withinBytes(found.slice(0, limit), ({ body }) => JSON.stringify(body).length),
    );
    const last = page.at(-1);
    const nextCursor =
      found.length > page.length && last ? encodeCursor([String(last.fromVersion)]) : null;
    return { ...seenOf(snapshot), page: { items: page.map(renderStepOutput), nextCursor } };
  }
}
