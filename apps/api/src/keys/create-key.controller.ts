import { Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { z } from 'zod';

import { CreateKeyCommand, rfc3339Time, roles } from '#application';
import { agentId, contextId, identifier } from '#shared-context';

import { Answer } from '../http/answer.js';
import { plainBody } from '../http/body.reader.js';
import { endpoint, Handles } from '../http/endpoint.js';
import { Input, type InputOf } from '../http/input.js';
import { workspaceName } from '../http/workspace.schema.js';
import { keyResponse } from './key.schema.js';

/** Limited because every request with the key loads all entries. */
const maxEntries = 1_000;

const createKey = endpoint({
  method: 'POST',
  path: '/v1/keys',
  tag: 'Keys',
  summary: 'Create a key',
  description:
    'The secret is returned only once; the server stores only its SHA-256. Idempotency-Key is ignored here.',
  access: 'admin',
  audience: 'none',
  body: plainBody(
    z.strictObject({
      role: z.enum(roles),
      workspace: workspaceName.optional(),
      agentId: agentId.nullable().optional(),
      audiences: z.array(identifier).min(1).max(maxEntries).optional(),
      actsFor: z.array(agentId).max(maxEntries).optional(),
      contexts: z.array(contextId).max(maxEntries).nullable().optional(),
      workflows: z.array(identifier).max(maxEntries).nullable().optional(),
      expiresAt: rfc3339Time.nullable().optional(),
    }),
  ),
  answers: { 201: { description: 'The key', schema: keyResponse.extend({ secret: z.string() }) } },
  problems: ['forbidden', 'validation-failed'],
  example: { role: 'agent', agentId: 'architect', actsFor: ['designer'] },
});

@Controller()
export class CreateKeyController {
  constructor(private readonly commands: CommandBus) {}

  @Handles(createKey)
  async createKey(@Input(createKey) input: InputOf<typeof createKey>): Promise<Answer> {
    const created = await this.commands.execute(new CreateKeyCommand(input.principal, input.body));
    return new Answer(201, created);
  }
}
