import { Injectable } from '@nestjs/common';

import { outputAt, thresholdsFor, thresholdsOf } from '#agent-contracts';
import {
  type ContextCommand,
  type Item,
  type ItemKind,
  type RegisteredAgent,
} from '#shared-context';

import { type RegisteredAgent as Registered } from './agent-rows.js';
import { AgentStore } from './agent-store.js';

/** Items that say of an agent that it takes part in their context. */
const workKinds: ReadonlySet<ItemKind> = new Set([
  ...(['step', 'step-output', 'step-failure', 'output', 'task', 'phase'] as const),
  ...(['input-check', 'scores'] as const),
]);

/** The registry of agents as contexts go by it. */
@Injectable()
export class AgentRegistry {
  constructor(private readonly agents: AgentStore) {}

  /**
   * The agents as they were registered when a context was written to last (RFC 3339, UTC, milliseconds): so that what
   * is shown of a version stays as it is. Nobody is asked for where nobody takes part.
   */
  async shownAt(
    workspace: string,
    time: string,
    items: Iterable<Item>,
  ): Promise<readonly RegisteredAgent[]> {
    const isShown = [...items].some(({ kind }) => workKinds.has(kind));
    return isShown ? (await this.agents.findAt(workspace, time)).map(shown) : [];
  }

  /** The thresholds at the time when scores are recorded: the scores are compared with these. */
  async applyQualityThresholds(
    workspace: string,
    commands: readonly ContextCommand[],
  ): Promise<readonly ContextCommand[]> {
    if (!commands.some(({ type }) => type === 'ScoreQuality')) return commands;
    const contracts = (await this.agents.find(workspace)).map(({ contract }) => contract);
    return commands.map((command) =>
      command.type === 'ScoreQuality'
        ? { ...command, thresholds: thresholdsFor(command.data.agent, contracts) }
        : command,
    );
  }
}

function shown({ view: { agentId, name, role, kind }, contract }: Registered): RegisteredAgent {
  const paths = (required: boolean) =>
    contract.inputs
      .filter(({ rules }) => (rules.required !== false) === required)
      .map(({ path }) => path.path);
  const needs = contract.inputs.flatMap(({ path }) => outputAt(path)?.agentId ?? []);
  return {
    agentId,
    name,
    role,
    kind,
    required: paths(true),
    optional: paths(false),
    needs: [...new Set(needs)],
    thresholds: thresholdsOf(contract),
  };
}
