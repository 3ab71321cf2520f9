import { Controller } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { z } from 'zod';

import { CheckContextQuery } from '#application';
import { contextOutcomes, findingCodes, findingSeverities } from '#shared-context';

import { Answer, versioned } from '../http/answer.js';
import { readProblems } from '../http/answers.schema.js';
import { endpoint, Handles } from '../http/endpoint.js';
import { Input, type InputOf } from '../http/input.js';
import { asOfQuery, audienceQuery } from '../http/query.schema.js';

const finding = z.looseObject({
  code: z.enum(findingCodes),
  severity: z.enum(findingSeverities).meta({ description: 'Errors fail the check' }),
  ref: z
    .string()
    .meta({ description: 'The item that the finding concerns, such as decision:DEC-001' }),
  detail: z.string(),
});

const maxRequired = 100;

const checkContext = endpoint({
  method: 'GET',
  path: '/v1/contexts/{contextId}/check',
  tag: 'Contexts',
  summary: 'Check whether the record of a context is consistent',
  description:
    'Checks that references have targets, iterations are within their limits, no circuit breaker is open, critical handovers are acknowledged, blocking issues are addressed and reviews agree with phases. `ok` is false if any finding is an error; the status is 200 in both cases. For pipelines, `throughline check` returns the result as an exit code.',
  access: 'read',
  audience: 'gated',
  cost: 'context',
  query: z.strictObject({
    require: z
      .string()
      .transform((parts) => parts.split(','))
      .refine((parts) => parts.length <= maxRequired && !parts.includes(''), {
        error: `must be 1 to ${maxRequired} names of parts, separated by commas`,
      })
      .optional()
      .meta({
        documented: {
          type: 'string',
          description:
            'Parts of the document that must not be empty, separated by commas: decisionHistory,globalContext.constraints',
        },
      }),
    ...asOfQuery,
    ...audienceQuery,
  }),
  answers: {
    200: {
      description: 'The findings, errors first',
      schema: z.looseObject({
        contextId: z.string(),
        version: z.int(),
        outcome: z.enum(contextOutcomes).meta({ description: 'As in the document' }),
        ok: z.boolean(),
        findings: z.array(finding),
      }),
      headers: ['ETag'],
    },
  },
  problems: readProblems,
});

@Controller()
export class CheckContextController {
  constructor(private readonly queries: QueryBus) {}

  @Handles(checkContext)
  async checkContext(@Input(checkContext) input: InputOf<typeof checkContext>): Promise<Answer> {
    const { principal, params, query, signal } = input;
    const { outcome, report, ...metadata } = await this.queries.execute(
      new CheckContextQuery({ principal, ...params, ...query, signal }),
    );
    return versioned(metadata, { ...params, version: metadata.version, outcome, ...report });
  }
}
