import { Controller } from '@nestjs/common';

import { newId } from '#application';
import { contextId, contextToCreate } from '#shared-context';

import { writeAnswers, writeHeaders, writeProblems } from '../http/answers.schema.js';
import { Answer } from '../http/answer.js';
import { statementBody } from '../http/body.reader.js';
import { WriteEndpointAdapter } from '../http/write-endpoint-adapter.js';
import { endpoint, Handles } from '../http/endpoint.js';
import { Input, type InputOf } from '../http/input.js';
import { deriveContextId } from './derive-context-id.js';

const createContext = endpoint({
  method: 'POST',
  path: '/v1/contexts',
  tag: 'Contexts',
  summary: 'Create a context',
  description:
    'Without `contextId` the server generates one; with an Idempotency-Key the id is derived from the key. Open handovers of the context that it `continues` are added to the new context.',
  access: 'write',
  audience: 'written',
  headers: writeHeaders,
  body: statementBody(contextToCreate.extend({ contextId: contextId.optional() }), {
    optional: true,
  }),
  answers: writeAnswers,
  problems: [...writeProblems, 'context-exists'],
  example: { contextId: 'login-page', title: 'A login page', preferences: { language: 'en' } },
});

@Controller()
export class CreateContextController {
  constructor(private readonly writing: WriteEndpointAdapter) {}

  @Handles(createContext)
  async createContext(@Input(createContext) input: InputOf<typeof createContext>): Promise<Answer> {
    const { data: statement, visibility, agentId } = input.body;
    const { contextId: id = generatedId(input), ...data } = statement;
    const command = { type: 'CreateContext', data, visibility } as const;
    const { status, body, headers } = await this.writing.write(input, {
      contextId: id,
      commands: [command],
      agentId,
    });
    return new Answer(status, body, { ...headers, Location: `/v1/contexts/${id}` });
  }
}

function generatedId({ principal, headers }: InputOf<typeof createContext>): string {
  const key = headers.idempotencyKey;
  return key === undefined ? newId() : deriveContextId(principal.workspace, principal.name, key);
}
