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
  summary: 'Start a context from what another one held at a version, or at a checkpoint',
  description:
    'The fork has versions of its own, from 1, and costs one event. It holds everything its source held, is open, and goes on counting made ids. Its loops go on from the iterations, limits and breakers that they have in the source now (`IterationsCarried`). Without `contextId` the server makes one; with an Idempotency-Key it is derived from the key. If-Match is about the source.',
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
    const { contextId: stated, agentId: author } = input.body;
    const { version: atVersion, checkpoint } = versionNamed(input.body);
    const forkId = stated ?? madeId(input);
    const asked = { atVersion, checkpoint, forkId, agentId: author };
    const { status, body, headers } = await this.writing.fork(input, asked);
    return new Answer(status, body, { ...headers, Location: `/v1/contexts/${forkId}` });
  }
}

function madeId({ principal, headers, params }: InputOf<typeof forkContext>): string {
  const key = headers.idempotencyKey;
  if (key === undefined) return newId();
  // Not the one that creating a context with this key makes.
  const scoped = JSON.stringify([params.contextId, key]);
  return deriveContextId(principal.workspace, principal.name, scoped);
}
