import { type KeyObject } from 'node:crypto';

import { Inject, Injectable } from '@nestjs/common';

import { type ContextCommand } from '#shared-context';

import { AgentRegistry } from '../agents/agent-registry.js';
import { authorizeCommands, needsSettings } from '../access/authorize.js';
import { agentsInWrite, refuseReservedNames } from '../access/reserved-names.js';
import { SettingsStore } from '../settings/settings-store.js';
import { type Settings } from '../settings/settings.messages.js';
import { FINGERPRINT_KEY } from '../tokens.js';
import { type PreparedWrite, prepareWrite } from './prepared-write.js';
import { type WriteRequest } from './write-context.command.js';
import { WriteReferences } from './write-references.js';

/**
 * Does everything about a write that comes before the queue of its stream: checks rights, adds settings and thresholds
 * to commands, and resolves references.
 */
@Injectable()
export class WritePreparation {
  constructor(
    private readonly settings: SettingsStore,
    private readonly agents: AgentRegistry,
    private readonly references: WriteReferences,
    @Inject(FINGERPRINT_KEY) private readonly fingerprintKey: KeyObject,
  ) {}

  async prepare(request: WriteRequest): Promise<PreparedWrite> {
    const { principal, commands } = request;
    const cited = this.references.cited(request);
    const settings = needsSettings(commands)
      ? await this.settings.find(principal.workspace)
      : undefined;
    refuseReservedNames(agentsInWrite(request), principal.agentId);
    authorizeCommands(principal, commands, { settings, claims: request.claims });
    const checkedCommands = await this.agents.applyQualityThresholds(principal.workspace, commands);
    const write = await this.references.resolve(
      { ...request, commands: checkedCommands.map((command) => underSettings(command, settings)) },
      cited,
    );
    return prepareWrite(write, this.fingerprintKey);
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
