import { Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';

import { RevokeKeyCommand } from '#application';

import { Answer } from '../http/answer.js';
import { endpoint, Handles } from '../http/endpoint.js';
import { Input, type InputOf } from '../http/input.js';

const revokeKey = endpoint({
  method: 'DELETE',
  path: '/v1/keys/{keyId}',
  tag: 'Keys',
  summary: 'Revoke a key immediately',
  access: 'admin',
  audience: 'none',
  answers: { 204: { description: 'The key is revoked' } },
  problems: ['forbidden', 'not-found'],
});

@Controller()
export class RevokeKeyController {
  constructor(private readonly commands: CommandBus) {}

  @Handles(revokeKey)
  async revokeKey(@Input(revokeKey) input: InputOf<typeof revokeKey>): Promise<Answer> {
    await this.commands.execute(new RevokeKeyCommand(input.principal, input.params.keyId));
    return new Answer(204, undefined);
  }
}
