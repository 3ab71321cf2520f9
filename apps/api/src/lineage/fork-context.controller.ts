import { Controller } from '@nestjs/common';

import { newId } from '#application';
import { contextId } from '#shared-context';

import { deriveContextId } from '../contexts/derive-context-id.js';
import { Answer } from '../http/answer.js';
import { writeAnswers, writeHeaders, writeProblems } from '../http/answers.schema.js';
import { plainBody } from '../http/body.reader.js';
import { WriteEndpointAdapter } from '../http/write-endpoint-adapter.js';
import { endpoint, Handles } from '../http/endpoint.js';
import { Input, type InputOf } from '../http/input.js';
import { namedVersion, versionNamed } from './named-version.js';

const target = namedVersion.extend({ contextId: contextId.optional() });

const forkContext = endpoint({
  method: 'POST',
  path: '/v1/contexts/{contextId}/forks',
  tag: 'Timelines',
  summary: 'Create a context from the state of another one at a version or checkpoint',
  description:
    'The fork has its own versions, from 1, and costs one event. It contains everything that its source contained, is open, and continues the numbering of generated ids. Its loops continue with the iterations, limits and breakers that they currently have in the source (`IterationsCarried`). Without `contextId` the server generates one; with an Idempotency-Key the id is derived from the key. If-Match applies to the source.',
  access: 'write',
  audience: 'written',
  headers: writeHeaders,
  body: plainBody(target),
  answers: writeAnswers,
  problems: [...writeProblems, 'context-exists', 'invalid-position', 'inside-append'],
  example: { atVersion: 1, contextId: 'login-page-b' },
});

@Controller()
export class ForkContextController {
  constructor(private readonly writing: WriteEndpointAdapter) {}

  @Handles(forkContext)
  async forkContext(@Input(forkContext) input: InputOf<typeof forkContext>): Promise<Answer> {
    const { contextId: requestedId, agentId: author } = input.body;
    const { version: atVersion, checkpoint } = versionNamed(input.body);
    const forkId = requestedId ?? generatedId(input);
    const request = { atVersion, checkpoint, forkId, agentId: author };
    const { status, body, headers } = await this.writing.fork(input, request);
    return new Answer(status, body, { ...headers, Location: `/v1/contexts/${forkId}` });
  }
}

function generatedId({ principal, headers, params }: InputOf<typeof forkContext>): string {
  const key = headers.idempotencyKey;
  if (key === undefined) return newId();
  // Must differ from the id that the creation of a context derives from the same key.
  const scoped = JSON.stringify([params.contextId, key]);
  return deriveContextId(principal.workspace, principal.name, scoped);
}
