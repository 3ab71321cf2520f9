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

/** The statuses that a run of a state has. */
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
    'What needs attention comes first: runs that wait for a person, then other active ones, failed ones and the rest, each with the newest first. `waitsFor` says for whom it waits since when. May lag by X-Projection-Lag events. Needs the audience "all".',
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
    const found = await this.queries.execute(
      new ListRunsQuery(principal, page, { status, definitionId }),
    );
    const { lag } = found;
    return new Answer(200, found.page, lag === null ? {} : { 'X-Projection-Lag': String(lag) });
  }
}
