import { Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';

import { agentDefinition } from '#agent-contracts';
import { PutAgentCommand } from '#application';
import { agentId } from '#shared-context';

import { Answer } from '../http/answer.js';
import { plainBody } from '../http/body.reader.js';
import { endpoint, Handles } from '../http/endpoint.js';
import { Input, type InputOf } from '../http/input.js';
import { parseStated } from '../http/parse-input.js';
import { agentExample, agentResponse } from './agent.schema.js';

const putAgent = endpoint({
  method: 'PUT',
  path: '/v1/agents/{agentId}',
  tag: 'Agents',
  summary: 'Say who an agent is from now on',
  description:
    'Registers an agent, or replaces its whole registration. Every version is kept; documents show the one that was in force when the context was last written to.',
  access: 'admin',
  audience: 'none',
  body: plainBody(agentDefinition),
  answers: {
    201: { description: 'A new version was stored', schema: agentResponse },
    200: { description: 'It was registered so already', schema: agentResponse },
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
      new PutAgentCommand(principal, parseStated(agentId, params.agentId, ['agentId']), body),
    );
    return new Answer(stored ? 201 : 200, view);
  }
}
