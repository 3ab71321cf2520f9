import { Injectable } from '@nestjs/common';

import { outputAt, thresholdsFor, thresholdsOf } from '#agent-contracts';
import {
  type ContextCommand,
  type Item,
  type ItemKind,
  type RegisteredAgent,
} from '#shared-context';

import { type RegisteredAgent as StoredAgent } from './agent-rows.js';
import { AgentStore } from './agent-store.js';

/** Kinds of items that show that an agent takes part in a context. */
const workKinds: ReadonlySet<ItemKind> = new Set([
  ...(['step', 'step-output', 'step-failure', 'output', 'task', 'phase'] as const),
  ...(['input-check', 'scores'] as const),
]);

/** The registered agents as contexts use them. */
@Injectable()
export class AgentRegistry {
  constructor(private readonly agents: AgentStore) {}

  /**
   * The agents as they were registered at `time` (RFC 3339, UTC, milliseconds), the time of the last write to the context, so
   * that the document of a version never changes. Empty, without a query, if no agent takes part.
   */
  async shownAt(
    workspace: string,
    time: string,
    items: Iterable<Item>,
  ): Promise<readonly RegisteredAgent[]> {
    const hasAgents = [...items].some(({ kind }) => workKinds.has(kind));
    return hasAgents ? (await this.agents.findAt(workspace, time)).map(toShownAgent) : [];
  }

  /** Adds the current thresholds to commands that record scores: the scores are compared with these. */
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

function toShownAgent({
  view: { agentId, name, role, kind },
  contract,
}: StoredAgent): RegisteredAgent {
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
