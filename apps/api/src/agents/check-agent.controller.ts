import { Controller } from '@nestjs/common';
import { z } from 'zod';

import { Answer } from '../http/answer.js';
import { writeAnswers, writeHeaders, writeProblems } from '../http/answers.schema.js';
import { statementBody } from '../http/body.reader.js';
import { WriteEndpointAdapter } from '../http/write-endpoint-adapter.js';
import { endpoint, Handles } from '../http/endpoint.js';
import { Input, type InputOf } from '../http/input.js';

const finding = { input: z.string(), path: z.string(), detail: z.string() };

const checkResult = z.looseObject({
  contextId: z.string(),
  version: z.int().min(1),
  events: z.array(z.looseObject({})),
  ok: z.boolean(),
  missing: z.array(z.looseObject(finding)),
  failed: z.array(z.looseObject({ ...finding, rule: z.string() })),
  agentVersion: z.int().min(1),
  checkedVersion: z.int().min(1),
});

const checkAgent = endpoint({
  method: 'POST',
  path: '/v1/contexts/{contextId}/agents/{agentId}/check',
  tag: 'Agents',
  summary: 'Check whether the context has the inputs of an agent',
  description:
    'Compares the context with the contract of the registered agent, and records the result if it differs from the last one. `missing` lists required inputs that the context does not have, `failed` lists inputs that violate the contract; `ok` is true if both are empty. Hidden values count as missing. If the key may not read for the audience "all", the result is returned but not recorded.',
  access: 'write',
  audience: 'gated',
  headers: writeHeaders,
  body: statementBody(z.strictObject({}), { optional: true }),
  answers: {
    201: { ...writeAnswers[201], description: 'Checked and recorded', schema: checkResult },
    200: {
      ...writeAnswers[200],
      description: 'Checked; the result is the same as the last one, or is not recorded',
      schema: checkResult,
    },
  },
  problems: [...writeProblems, 'not-found'],
  example: {},
});

@Controller()
export class CheckAgentController {
  constructor(private readonly writing: WriteEndpointAdapter) {}

  @Handles(checkAgent)
  checkAgent(@Input(checkAgent) input: InputOf<typeof checkAgent>): Promise<Answer> {
    const { visibility, agentId: author } = input.body;
    return this.writing.check(input, {
      agent: input.params.agentId,
      visibility,
      agentId: author,
    });
  }
}
