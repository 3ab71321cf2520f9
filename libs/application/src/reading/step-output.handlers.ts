import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';

import { type Kysely } from 'kysely';

import { type Database } from '#database';
import { gateValues } from '#context-views';
import { type JsonObject } from '#event-sourcing';
import { beforeAll, listItemHistory } from '#read-models';
import { renderStepOutput, stepFailureKey, stepOutputKey } from '#shared-context';

import { LongPolls } from '../long-polls/long-polls.js';
import { DATABASE } from '../tokens.js';
import { FindStepOutputQuery, ListStepOutputsQuery, type Seen } from './context.queries.js';
import { decodeInheritedVersion, encodeCursor } from './cursor.js';
import { withinBytes } from './page-bytes.js';
import { type ReachableSnapshot, ReachableContext, seenOf } from './reachable-context.js';

/** How many of them are seen is known once they are looked at. */
const everyValue = Number.MAX_SAFE_INTEGER;

type Found = Seen & Readonly<{ output: JsonObject | null }>;

@QueryHandler(FindStepOutputQuery)
export class FindStepOutputHandler implements IQueryHandler<FindStepOutputQuery> {
  constructor(
    private readonly contexts: ReachableContext,
    private readonly polls: LongPolls,
  ) {}

  execute({ request }: FindStepOutputQuery): Promise<Found> {
    const { principal, contextId, stepId, waitSeconds = 0, asOf, signal } = request;
    const key = stepOutputKey(stepId);
    const selection = { keys: [key], bodies: true };
    const shared = this.contexts.shared(request);
    return this.polls.poll(
      { principal, seconds: asOf === undefined ? waitSeconds : 0, signal },
      {
        name: `step-output ${shared.name} ${stepId}`,
        of: { workspace: principal.workspace, contextId },
        // Whether a step has failed may decide what of it an audience sees.
        awaited: { items: [key, stepFailureKey(stepId)] },
        read: async () => outputIn(await shared.read(selection), stepId),
        isThere: ({ output }) => output !== null,
      },
      async () => outputIn(await this.contexts.read(request, selection), stepId),
    );
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

function outputIn(snapshot: ReachableSnapshot, stepId: string): Found {
  const { kind, key } = stepOutputKey(stepId);
  const item = snapshot.state.get(kind, key);
  return { ...seenOf(snapshot), output: item ? renderStepOutput(item) : null };
}
