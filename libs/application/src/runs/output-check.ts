import { Inject, Injectable } from '@nestjs/common';
import { type Kysely, sql } from 'kysely';
import { z } from 'zod';

import { checkOutput } from '#agent-contracts';
import { type Database } from '#database';
import { type JsonValue } from '#event-sourcing';
import { runInSlices } from '#slices';
import { type CompiledWorkflow, verification } from '#workflow';

import { type RegisteredAgent } from '../agents/agent-rows.js';
import { DATABASE } from '../tokens.js';
import { type AttemptKey } from './attempt-claims.js';

/** The number of refused outputs after which an attempt fails. */
export const maxRefusals = 3;

/** A reported output and its step. */
type ReportedOutput = Readonly<{
  workflow: CompiledWorkflow;
  stepId: string;
  /** Whether the worker had to verify whether the previous attempt took effect. */
  verifies: boolean;
  output: JsonValue;
}>;

/** Checks outputs against the contracts of the agents of their steps. */
@Injectable()
export class OutputCheck {
  constructor(@Inject(DATABASE) private readonly db: Kysely<Database>) {}

  /** The faults of the output; empty if its agent has no contract. */
  async faults(
    agents: readonly RegisteredAgent[],
    reported: ReportedOutput,
  ): Promise<readonly string[]> {
    const { workflow, stepId } = reported;
    const step = workflow.steps[stepId];
    const output = outputIn(reported);
    if (step?.type !== 'agent' || output === undefined) return [];
    const agent = agents.find(({ view }) => view.agentId === step.agent);
    return agent ? runInSlices(checkOutput(agent.contract, step.alias, output)) : [];
  }

  /** Counts a refused output of the attempt and returns the new count. If the row is missing, the count is 1. */
  async countRefusal(
    workspace: string,
    { contextId, stepId, version }: AttemptKey,
  ): Promise<number> {
    const { rows } = await sql`
      update throughline.run_claims set refusals = refusals + 1
      where (workspace, context_id, step_id, version) = (${workspace}, ${contextId}, ${stepId}, ${version})
      returning refusals`.execute(this.db);
    return z.object({ refusals: z.number() }).optional().parse(rows[0])?.refusals ?? 1;
  }
}

/** The output to check. A worker that verifies an attempt reports the output within its verification, if there is one. */
function outputIn({ verifies, output }: ReportedOutput): JsonValue | undefined {
  if (!verifies) return output;
  const found = verification(output);
  return found.tookEffect ? found.output : undefined;
}
