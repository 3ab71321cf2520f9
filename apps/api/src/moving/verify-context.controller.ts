import { Controller } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { z } from 'zod';

import { VerifyContextQuery } from '#application';

import { Answer } from '../http/answer.js';
import { endpoint, Handles } from '../http/endpoint.js';
import { Input, type InputOf } from '../http/input.js';

const verifyContext = endpoint({
  method: 'GET',
  path: '/v1/contexts/{contextId}/verify',
  tag: 'Contexts',
  summary: 'Check the hash chain of a context',
  description:
    'Checks every event. `broken` names the first event that was edited, moved, removed, inserted or exchanged, or is null. The check cannot detect that the last events were removed: compare `events` and `lastHash` with earlier values.',
  access: 'read',
  audience: 'whole',
  answers: {
    200: {
      description: 'The result, whether the chain is broken or not',
      schema: z.object({
        contextId: z.string(),
        events: z.int(),
        lastHash: z.string().nullable(),
        broken: z
          .object({
            version: z.int(),
            reason: z.enum(['gap', 'unreadable-envelope', 'wrong-previous-hash', 'wrong-hash']),
          })
          .nullable(),
      }),
    },
  },
  problems: ['context-not-found', 'event-unreadable'],
});

@Controller()
export class VerifyContextController {
  constructor(private readonly queries: QueryBus) {}

  @Handles(verifyContext)
  async verifyContext(@Input(verifyContext) input: InputOf<typeof verifyContext>): Promise<Answer> {
    const { principal, params, signal } = input;
    return new Answer(
      200,
      await this.queries.execute(new VerifyContextQuery({ principal, ...params, signal })),
    );
  }
}
