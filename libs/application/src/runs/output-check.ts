import { Inject, Injectable } from '@nestjs/common';
import { type Kysely, sql } from 'kysely';
import { z } from 'zod';

import { checkOutput } from '#agent-contracts';
import { type Database } from '#database';
import { type JsonValue } from '#event-sourcing';
import { type StepFacts } from '#shared-context';
import { runInSlices } from '#slices';
import { type CompiledWorkflow, verification } from '#workflow';

import { AgentStore } from '../agents/agent-store.js';
import { DATABASE } from '../tokens.js';
import { type ClaimPlace } from './work-queue.js';

/** So often an attempt may report an output that its agent has not promised; the last time, the attempt has failed. */
export const mostRefusals = 3;

/** An output that was reported, and of which step. */
export type ReportedOutput = Readonly<{
  workflow: CompiledWorkflow;
  stepId: string;
  step: StepFacts | undefined;
  output: JsonValue;
}>;

/** Holds outputs against what the agents of their steps have promised of them. */
@Injectable()
export class OutputCheck {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<Database>,
    private readonly agents: AgentStore,
  ) {}

  /** What is wrong with the output; nothing if its agent has promised nothing. */
  async faults(workspace: string, reported: ReportedOutput): Promise<readonly string[]> {
    const { workflow, stepId } = reported;
    const step = workflow.steps[stepId];
    const output = outputIn(reported);
    if (step?.type !== 'agent' || output === undefined) return [];
    const registered = await this.agents.find(workspace);
    const agent = registered.find(({ view }) => view.agentId === step.agent);
    return agent ? runInSlices(checkOutput(agent.contract, step.alias, output)) : [];
  }

  /** How often outputs of the attempt have been refused, with this time. A count that is lost with its row begins again. */
  async countRefusal(
    workspace: string,
    { contextId, stepId, version }: ClaimPlace,
  ): Promise<number> {
    const { rows } = await sql`
      update throughline.run_claims set refusals = refusals + 1
      where (workspace, context_id, step_id, version) = (${workspace}, ${contextId}, ${stepId}, ${version})
      returning refusals`.execute(this.db);
    return z.object({ refusals: z.number() }).optional().parse(rows[0])?.refusals ?? 1;
  }
}

/** Who verifies an attempt reports the output within what they have found out, if there is one. */
function outputIn({ step, output }: ReportedOutput): JsonValue | undefined {
  if (!step?.verify) return output;
  const found = verification(output);
  return found.tookEffect ? found.output : undefined;
}
