import { Controller } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { z } from 'zod';

import { FindKnowledgeQuery } from '#application';

import { Answer, versioned } from '../http/answer.js';
import { readProblems } from '../http/answers.schema.js';
import { endpoint, Handles } from '../http/endpoint.js';
import { Input, type InputOf } from '../http/input.js';
import { audienceQuery, pageQuery } from '../http/query.schema.js';

const basis = z.looseObject({
  receipt: z.string().nullable().meta({ description: 'Null if the key may not read it' }),
  link: z.string().nullable(),
  contextId: z.string().nullable(),
  version: z.int().nullable(),
  audience: z.string().nullable(),
  kind: z.string().nullable(),
});
const omitted = z.looseObject({ ref: z.string(), version: z.int() });
const shortened = z.looseObject({ ref: z.string(), form: z.string() });

const knowledgeAnswer = z.looseObject({
  contextId: z.string(),
  decisionId: z.string(),
  version: z.int().meta({ description: 'The version that recorded the decision' }),
  agentId: z.string(),
  basedOn: basis.nullable(),
  recorded: z
    .looseObject({
      after: z.int(),
      seen: z.enum(['no', 'unknown']),
    })
    .meta({
      description:
        // prose-ignore: `seen` is a field of the API
        "`items` lists events that others recorded after version `after` and before the decision. `seen` is `unknown` if the decision cites no read of this context; `after` is then the version of the author's last write before the decision.",
    }),
  leftOut: z
    .looseObject({
      byAudience: z.array(omitted).nullable(),
      byChoice: z.array(omitted).nullable(),
      byBudget: z.array(shortened).nullable(),
    })
    .nullable()
    .meta({
      description:
        'Items that existed at the time of the read and were omitted or shortened; first page only',
    }),
  items: z.array(z.looseObject({ version: z.int(), type: z.string(), refs: z.array(z.string()) })),
  nextCursor: z.string().nullable(),
});

const getKnowledge = endpoint({
  method: 'GET',
  path: '/v1/contexts/{contextId}/decisions/{decisionId}/knowledge',
  tag: 'Decisions',
  summary: 'Read what the author of a decision had read, and what it had not',
  access: 'read',
  audience: 'gated',
  cost: 'context',
  query: z.strictObject({ ...audienceQuery, ...pageQuery }),
  answers: {
    200: {
      description: 'The read that the decision is based on, and the items that it did not contain',
      schema: knowledgeAnswer,
      headers: ['ETag'],
    },
  },
  problems: [...readProblems, 'not-found'],
});

@Controller()
export class GetKnowledgeController {
  constructor(private readonly queries: QueryBus) {}

  @Handles(getKnowledge)
  async getKnowledge(@Input(getKnowledge) input: InputOf<typeof getKnowledge>): Promise<Answer> {
    const { principal, params, query, signal } = input;
    const { page, basedOn, decidedAt, tag, version, ...known } = await this.queries.execute(
      new FindKnowledgeQuery({ principal, ...params, ...query, signal }),
    );
    const link = basedOn?.receipt?.startsWith('r1.') ? `/v1/receipts/${basedOn.receipt}` : null;
    const cited = basedOn && { ...basedOn, link };
    return versioned({ version, tag }, { ...known, version: decidedAt, basedOn: cited, ...page });
  }
}
