import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';

import { type ContextCommand } from '#shared-context';

import { AgentRegistry } from '../agents/agent-registry.js';
import { authorizeCommands, needsSettings } from '../access/authorize.js';
import { agentsInWrite, refuseReservedNames } from '../access/reserved-names.js';
import { ContextWrites } from './context-writes.js';
import { SettingsStore } from '../settings/settings-store.js';
import { type Settings } from '../settings/settings.messages.js';
import { type WriteAnswer, WriteContextCommand } from './write-context.command.js';
import { WriteReferences } from './write-references.js';

@CommandHandler(WriteContextCommand)
export class WriteContextHandler implements ICommandHandler<WriteContextCommand> {
  constructor(
    private readonly writes: ContextWrites,
    private readonly settings: SettingsStore,
    private readonly agents: AgentRegistry,
    private readonly references: WriteReferences,
  ) {}

  async execute({ request }: WriteContextCommand): Promise<WriteAnswer> {
    const { principal, commands } = request;
    const cited = this.references.cited(request);
    const settings = needsSettings(commands)
      ? await this.settings.find(principal.workspace)
      : undefined;
    refuseReservedNames(agentsInWrite(request), principal.agentId);
    authorizeCommands(principal, commands, settings);
    const checkedCommands = await this.agents.underThresholds(principal.workspace, commands);
    const write = await this.references.into(
      { ...request, commands: checkedCommands.map((command) => underSettings(command, settings)) },
      cited,
    );
    return this.writes.write(write);
  }
}

function underSettings(command: ContextCommand, settings: Settings | undefined): ContextCommand {
  if (!settings) return command;
  if (command.type === 'RecordDecision')
    return { ...command, confidenceThreshold: settings.decisionConfidenceThreshold };
  if (command.type === 'StartIteration' || command.type === 'TripCircuitBreaker')
    return { ...command, maxIterations: settings.maxIterations };
  return command;
}
