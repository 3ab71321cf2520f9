import { Controller } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { z } from 'zod';

import { FindViewItemQuery } from '#application';

import { type Answer, versioned } from '../http/answer.js';
import { readProblems } from '../http/answers.schema.js';
import { endpoint, Handles } from '../http/endpoint.js';
import { Input, type InputOf } from '../http/input.js';
import { asOfQuery, audienceQuery, pageQuery } from '../http/query.schema.js';
import { agentQuery, tokenizer } from './view.schema.js';

const itemMembers = {
  ref: z.string(),
  form: z.literal('whole'),
  version: z.int(),
  text: z.string(),
  tokens: z.int(),
  tokenizer,
};

const getViewItem = endpoint({
  method: 'GET',
  path: '/v1/contexts/{contextId}/items/{ref}',
  tag: 'Views',
  summary: 'Read the original of a shortened entry of a view',
  description:
    'Accepts the refs of views, percent-encoded or not. The ref of a roll-up returns a list of the originals that it summarizes.',
  access: 'read',
  audience: 'gated',
  query: z.strictObject({
    ...audienceQuery,
    ...agentQuery,
    ...asOfQuery,
    ...pageQuery,
    tokenizer: tokenizer.optional().meta({ description: 'The tokenizer for counting' }),
  }),
  answers: {
    200: {
      description: 'The full text of the item and its payload, or the items of a roll-up',
      schema: z.union([
        z.strictObject({ ...itemMembers, value: z.unknown() }),
        z.strictObject({
          ref: z.string(),
          form: z.literal('rollup'),
          from: z.int(),
          to: z.int(),
          items: z.array(z.strictObject(itemMembers)),
          nextCursor: z.string().nullable(),
        }),
      ]),
      headers: ['ETag'],
    },
  },
  problems: [...readProblems, 'not-found'],
});

@Controller()
export class GetViewItemController {
  constructor(private readonly queries: QueryBus) {}

  @Handles(getViewItem)
  async getViewItem(@Input(getViewItem) input: InputOf<typeof getViewItem>): Promise<Answer> {
    const { principal, signal, query, params } = input;
    const { answer, ...metadata } = await this.queries.execute(
      new FindViewItemQuery({
        principal,
        signal,
        ...query,
        ...params,
      }),
    );
    return versioned(metadata, answer);
  }
}
