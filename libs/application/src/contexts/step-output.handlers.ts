import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';

import { type Kysely } from 'kysely';

import { type Database } from '#database';
import { type JsonObject } from '#event-sourcing';
import { beforeAllVersions, listItemHistory } from '#read-models';
import {
  type Item,
  type ItemKey,
  renderStepOutput,
  stepFailureKey,
  stepOutputKey,
} from '#shared-context';
import { filterValues } from '#visibility';

import { reachesById } from '../access/reach.js';
import { LongPolls } from '../long-polls/long-polls.js';
import { decodeInheritedVersion, encodeCursor } from '../paging/cursor.js';
import { GrowingPage } from '../paging/page-bytes.js';
import {
  type AuthorizedSnapshot,
  AuthorizedContextReader,
  responseMetadata,
} from '../reading/authorized-context-reader.js';
import { type SnapshotTag } from '../reading/snapshot-tag.js';
import { DATABASE } from '../tokens.js';
import { FindStepOutputQuery, ListStepOutputsQuery } from './context.queries.js';

/**
 * The number of values that are read at once. Each may have a mebibyte, and whether the reader sees it is known only
 * after the read.
 */
const valuesAtOnce = 32;

type StepOutputResult = SnapshotTag & Readonly<{ output: JsonObject | null }>;

@QueryHandler(FindStepOutputQuery)
export class FindStepOutputHandler implements IQueryHandler<FindStepOutputQuery> {
  constructor(
    private readonly contexts: AuthorizedContextReader,
    private readonly polls: LongPolls,
  ) {}

  execute({ request }: FindStepOutputQuery): Promise<StepOutputResult> {
    const { principal, contextId, stepId, waitSeconds = 0, asOf, signal } = request;
    const key = stepOutputKey(stepId);
    const selection = { keys: [key], bodies: true };
    const shared = this.contexts.shared(request);
    return this.polls.poll(
      { principal, seconds: asOf === undefined ? waitSeconds : 0, signal },
      {
        name: `step-output ${shared.name} ${stepId}`,
        of: { workspace: principal.workspace, contextId },
        // For some audiences, the visibility of an output depends on whether its step has failed.
        awaited: { items: [key, stepFailureKey(stepId)] },
        read: async () => outputIn(await shared.read(selection), stepId),
        hasAnswer: ({ output }) => output !== null,
      },
      {
        own: async () => outputIn(await this.contexts.read(request, selection), stepId),
        mayShare: reachesById(principal, contextId),
        isOwn: () => true,
      },
    );
  }
}

@QueryHandler(ListStepOutputsQuery)
export class ListStepOutputsHandler implements IQueryHandler<ListStepOutputsQuery> {
  constructor(
    private readonly contexts: AuthorizedContextReader,
    @Inject(DATABASE) private readonly db: Kysely<Database>,
  ) {}

  async execute({ request }: ListStepOutputsQuery) {
    const { stepId, limit, cursor } = request;
    // Only the state of the step is read: for some audiences, visibility depends on whether it has failed.
    const step = { kind: 'step-output', key: stepId } as const;
    const snapshot = await this.contexts.read(request, { keys: [step], bodies: false });
    const after = cursor === undefined ? beforeAllVersions : decodeInheritedVersion(cursor);
    const page = new GrowingPage<Item>(limit);
    const isLast = await this.#fill(page, snapshot, { step, after, limit });
    const last = page.items.at(-1);
    const nextCursor = last && !isLast ? encodeCursor([String(last.fromVersion)]) : null;
    return {
      ...responseMetadata(snapshot),
      page: { items: page.items.map(renderStepOutput), nextCursor },
    };
  }

  /** Fills the page, and returns whether it is the last one. */
  async #fill(
    page: GrowingPage<Item>,
    { head, filter, state }: AuthorizedSnapshot,
    { step, after, limit }: Readonly<{ step: ItemKey; after: number; limit: number }>,
  ): Promise<boolean> {
    const source = { db: this.db, reader: this.contexts.reader };
    const range = { after, until: head.version, limit: Math.min(limit + 1, valuesAtOnce) };
    for (;;) {
      const values = await listItemHistory(source, head, step, range);
      for (const value of filter ? filterValues(filter, values, state.values()) : values)
        if (!page.takes(value, JSON.stringify(value.body).length)) return false;
      if (values.length < range.limit) return true;
      range.after = values.at(-1)?.fromVersion ?? range.after;
    }
  }
}

function outputIn(snapshot: AuthorizedSnapshot, stepId: string): StepOutputResult {
  const { kind, key } = stepOutputKey(stepId);
  const item = snapshot.state.get(kind, key);
  return { ...responseMetadata(snapshot), output: item ? renderStepOutput(item) : null };
}
