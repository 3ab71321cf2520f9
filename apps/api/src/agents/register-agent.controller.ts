import { Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';

import { agentDefinition } from '#agent-contracts';
import { RegisterAgentCommand } from '#application';
import { agentId } from '#shared-context';

import { Answer } from '../http/answer.js';
import { plainBody } from '../http/body.reader.js';
import { endpoint, Handles } from '../http/endpoint.js';
import { Input, type InputOf } from '../http/input.js';
import { agentExample, agentResponse } from './agent.schema.js';

const registerAgent = endpoint({
  method: 'POST',
  path: '/v1/agents',
  tag: 'Agents',
  summary: 'Register an agent',
  description:
    'Registers an agent with its contract: its inputs, by path, and its outputs. If another definition is registered for the agent, the request is refused; use PUT to change it.',
  access: 'admin',
  audience: 'none',
  body: plainBody(agentDefinition.safeExtend({ agentId })),
  answers: {
    201: { description: 'The agent', schema: agentResponse },
    200: { description: 'The same definition was registered already', schema: agentResponse },
  },
  problems: ['forbidden', 'validation-failed'],
  example: { agentId: 'pm', ...agentExample },
});

@Controller()
export class RegisterAgentController {
  constructor(private readonly commands: CommandBus) {}

  @Handles(registerAgent)
  async registerAgent(
    @Input(registerAgent) { principal, body }: InputOf<typeof registerAgent>,
  ): Promise<Answer> {
    const { agentId: id, ...definition } = body;
    const { view, stored } = await this.commands.execute(
      new RegisterAgentCommand(principal, id, definition),
    );
    return new Answer(stored ? 201 : 200, view);
  }
}
