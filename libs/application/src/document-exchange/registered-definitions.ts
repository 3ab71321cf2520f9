import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { z } from 'zod';

import { agentDefinition } from '#agent-contracts';
import { type DocumentPlace, type Registrations } from '#interop';
import { agentId, identifier } from '#shared-context';
import { transformationDefinition } from '#transformations';

import { requireWholeWorkspace } from '../access/authorize.js';
import { type Principal } from '../access/principal.js';
import { PutAgentCommand } from '../agents/agents.messages.js';
import { InvalidInputError } from '../errors.js';
import { PutTransformationCommand } from '../transformations/transformations.messages.js';

/** Registers the agents and transformations that imported documents define. */
@Injectable()
export class RegisteredDefinitions {
  constructor(private readonly commands: CommandBus) {}

  /**
   * Throws, before anything is stored, unless the principal is an administrator of the workspace and the definitions
   * are valid.
   */
  check(principal: Principal, { agents, transformations }: Registrations): void {
    requireWholeWorkspace(principal);
    for (const agent of agents) parsed(agentId, agent.agentId, agent.place);
    for (const { definition, place } of agents) parsed(agentDefinition, definition, place);
    for (const one of transformations) parsed(identifier, one.transformationId, one.place);
    for (const { definition, place } of transformations)
      parsed(transformationDefinition, definition, place);
  }

  namesOf(registrations: Registrations | undefined): readonly string[] {
    if (!registrations) return [];
    const { agents, transformations } = registrations;
    return [
      ...agents.map((agent) => `agent ${agent.agentId}`),
      ...transformations.map(({ transformationId }) => `transformation ${transformationId}`),
    ];
  }

  async register(principal: Principal, { agents, transformations }: Registrations): Promise<void> {
    for (const { agentId: id, definition, place } of agents) {
      const agent = parsed(agentDefinition, definition, place);
      await this.commands.execute(new PutAgentCommand(principal, id, agent));
    }
    for (const { transformationId, definition, place } of transformations) {
      const transformation = parsed(transformationDefinition, definition, place);
      await this.commands.execute(
        new PutTransformationCommand(principal, transformationId, transformation),
      );
    }
  }
}

function parsed<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  { document, line, pointer }: DocumentPlace,
): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const member = issue?.path.map((step) => `/${String(step)}`).join('') ?? '';
  const detail = `${document}:${line}: ${issue?.message ?? 'is not a valid definition'}`;
  throw new InvalidInputError([{ pointer: pointer + member, detail }]);
}
