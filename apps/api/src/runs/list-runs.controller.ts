import { Controller } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { z } from 'zod';

import { ListRunsQuery } from '#application';
import { identifier } from '#shared-context';

import { Answer } from '../http/answer.js';
import { listAnswer } from '../http/answers.schema.js';
import { endpoint, Handles } from '../http/endpoint.js';
import { Input, type InputOf } from '../http/input.js';
import { pageQuery } from '../http/query.schema.js';
import { runStatus } from './run.schema.js';

const listedRun = z.looseObject({
  contextId: z.string(),
  runId: z.string(),
  definition: z.object({ definitionId: z.string(), version: z.int() }),
  status: runStatus,
  waitsFor: z.array(
    z.looseObject({ kind: z.enum(['agent', 'person']), stepId: z.string(), path: z.string() }),
  ),
});

/** The statuses of active and of ended runs. */
const statusesOf = {
  active: ['running', 'paused', 'cancelling'],
  ended: ['completed', 'rejected', 'failed', 'cancelled'],
} as const;

const listRuns = endpoint({
  method: 'GET',
  path: '/v1/runs',
  tag: 'Runs',
  summary: 'List the newest run of each context',
  description:
    'Runs that need attention come first: runs that wait for a person, then other active runs, failed runs and the rest, each group newest first. `waitsFor` lists the agents and people that the run waits for, since when. The list may be behind by X-Projection-Lag events. Needs the audience "all".',
  access: 'read',
  audience: 'whole',
  query: z.strictObject({
    state: z.enum(['active', 'ended', ...runStatus.options]).optional(),
    definition: identifier.optional(),
    ...pageQuery,
  }),
  answers: { 200: { ...listAnswer('A page of runs', listedRun), headers: ['X-Projection-Lag'] } },
  problems: ['forbidden', 'validation-failed'],
});

@Controller()
export class ListRunsController {
  constructor(private readonly queries: QueryBus) {}

  @Handles(listRuns)
  async listRuns(@Input(listRuns) { principal, query }: InputOf<typeof listRuns>): Promise<Answer> {
    const { state, definition: definitionId, cursor, limit } = query;
    const named = state === 'active' || state === 'ended' ? statusesOf[state] : undefined;
    const status = named ?? (state === undefined ? undefined : [runStatus.parse(state)]);
    const page = { cursor, limit };
    const result = await this.queries.execute(
      new ListRunsQuery(principal, page, { status, definitionId }),
    );
    const { lag } = result;
    return new Answer(200, result.page, lag === null ? {} : { 'X-Projection-Lag': String(lag) });
  }
}
