import { Injectable } from '@nestjs/common';

import { isSameAgent } from '#shared-context';
import {
  type KnownAgents,
  type WorkflowReport,
  type WorkflowSource,
  readWorkflow,
} from '#workflow';

import { AgentStore } from '../agents/agent-store.js';

/** Parses and validates definitions against the registered agents of a workspace. */
@Injectable()
export class WorkflowValidator {
  constructor(private readonly agents: AgentStore) {}

  async read(workspace: string, source: WorkflowSource): Promise<WorkflowReport> {
    return readWorkflow(source, { agents: await this.#agentsOf(workspace) });
  }

  /** Undefined if the workspace has no registered agents, so that agents are not checked. */
  async #agentsOf(workspace: string): Promise<KnownAgents | undefined> {
    const names = (await this.agents.find(workspace)).map(({ view }) => view.agentId);
    if (names.length === 0) return undefined;
    return { names, has: (name) => names.some((known) => isSameAgent(known, name)) };
  }
}
