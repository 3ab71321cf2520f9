import { Controller } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { z } from 'zod';

import { ListApprovalsQuery } from '#application';

import { Answer } from '../http/answer.js';
import { listAnswer } from '../http/answers.schema.js';
import { endpoint, Handles } from '../http/endpoint.js';
import { Input, type InputOf } from '../http/input.js';
import { workListQuery } from '../http/query.schema.js';

const approval = z.looseObject({
  approvalId: z.string(),
  contextId: z.string(),
  stepId: z.string(),
  message: z.string(),
});

const listApprovals = endpoint({
  method: 'GET',
  path: '/v1/approvals',
  tag: 'Runs',
  summary: 'List open approvals, which wait for a decision of a person',
  description:
    'Approvals of steps in all open contexts that the key may read, oldest first. The list may be behind by X-Projection-Lag events. Needs the audience "all".',
  access: 'read',
  audience: 'whole',
  query: workListQuery,
  answers: {
    200: { ...listAnswer('A page of approvals', approval), headers: ['X-Projection-Lag'] },
  },
  problems: ['forbidden', 'validation-failed'],
});

@Controller()
export class ListApprovalsController {
  constructor(private readonly queries: QueryBus) {}

  @Handles(listApprovals)
  async listApprovals(
    @Input(listApprovals) {
      principal,
      query: { cursor, limit, contextId },
    }: InputOf<typeof listApprovals>,
  ): Promise<Answer> {
    const query = new ListApprovalsQuery(principal, { cursor, limit }, contextId);
    const { page, lag } = await this.queries.execute(query);
    return new Answer(200, page, lag === null ? {} : { 'X-Projection-Lag': String(lag) });
  }
}
