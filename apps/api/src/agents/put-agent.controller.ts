import { Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';

import { agentDefinition } from '#agent-contracts';
import { PutAgentCommand } from '#application';
import { agentId } from '#shared-context';

import { Answer } from '../http/answer.js';
import { plainBody } from '../http/body.reader.js';
import { endpoint, Handles } from '../http/endpoint.js';
import { Input, type InputOf } from '../http/input.js';
import { parseStoredInput } from '../http/parse-input.js';
import { agentExample, agentResponse } from './agent.schema.js';

const putAgent = endpoint({
  method: 'PUT',
  path: '/v1/agents/{agentId}',
  tag: 'Agents',
  summary: 'Register an agent or replace its registration',
  description:
    'Registers an agent, or replaces its whole registration. Every version is stored; a document shows the version that was in force when the context was last written.',
  access: 'admin',
  audience: 'none',
  body: plainBody(agentDefinition),
  answers: {
    201: { description: 'A new version was stored', schema: agentResponse },
    200: { description: 'The same definition was registered already', schema: agentResponse },
  },
  problems: ['forbidden', 'validation-failed'],
  example: agentExample,
});

@Controller()
export class PutAgentController {
  constructor(private readonly commands: CommandBus) {}

  @Handles(putAgent)
  async putAgent(
    @Input(putAgent) { principal, params, body }: InputOf<typeof putAgent>,
  ): Promise<Answer> {
    const { view, stored } = await this.commands.execute(
      new PutAgentCommand(principal, parseStoredInput(agentId, params.agentId, ['agentId']), body),
    );
    return new Answer(stored ? 201 : 200, view);
  }
}
