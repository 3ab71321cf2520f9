import { Controller } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';

import { ListInboxQuery } from '#application';

import { Answer } from '../http/answer.js';
import { listAnswer } from '../http/answers.schema.js';
import { endpoint, Handles } from '../http/endpoint.js';
import { Input, type InputOf } from '../http/input.js';
import { workListQuery } from '../http/query.schema.js';

const listInbox = endpoint({
  method: 'GET',
  path: '/v1/agents/{agentId}/inbox',
  tag: 'Handovers',
  summary: 'List the open work of an agent',
  description:
    'Open handovers to the agent and requests for its input, in all open contexts that the key may read: the most urgent first, then the oldest. People also get tripped circuit breakers and pending decisions of the workspace. An agent key reads only its own inbox, which also lists work that is addressed to an audience of the key. The list may be behind by X-Projection-Lag events.',
  access: 'read',
  audience: 'gated',
  query: workListQuery,
  answers: { 200: { ...listAnswer('A page of the inbox'), headers: ['X-Projection-Lag'] } },
  problems: ['validation-failed'],
});

@Controller()
export class ListInboxController {
  constructor(private readonly queries: QueryBus) {}

  @Handles(listInbox)
  async listInbox(@Input(listInbox) input: InputOf<typeof listInbox>): Promise<Answer> {
    const { principal, params, query } = input;
    const { contextId, cursor, limit } = query;
    const { page, lag } = await this.queries.execute(
      new ListInboxQuery({ principal, agentId: params.agentId, contextId, cursor, limit }),
    );
    const headers = lag === null ? {} : { 'X-Projection-Lag': String(lag) };
    return new Answer(200, page, headers);
  }
}
