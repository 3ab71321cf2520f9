import { Inject, Injectable } from '@nestjs/common';
import { type Kysely, sql } from 'kysely';
import { z } from 'zod';

import { checkOutput } from '#agent-contracts';
import { type Database } from '#database';
import { type JsonValue } from '#event-sourcing';
import { runInSlices } from '#slices';
import { type CompiledWorkflow } from '#workflow';

import { AgentStore } from '../agents/agent-store.js';
import { InvalidInputError } from '../errors.js';
import { DATABASE } from '../tokens.js';
import { type ClaimedAttempt } from './attempt-token.js';
import { type WorkReport } from './runs.messages.js';

/** So often an attempt may report an output that its agent has not promised; the last time, the attempt has failed. */
const mostRefusals = 3;

/** Holds outputs against what their agents have promised of them. */
@Injectable()
export class OutputCheck {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<Database>,
    private readonly agents: AgentStore,
  ) {}

  /**
   * The report as it is to be stored. Throws InvalidInputError if the worker may correct the output; after too many of these, the
   * report is that the attempt has failed.
   */
  async settle(
    workspace: string,
    claimed: ClaimedAttempt,
    { report, workflow }: Readonly<{ report: WorkReport; workflow: CompiledWorkflow }>,
  ): Promise<WorkReport> {
    if (report.type !== 'complete') return report;
    const name = workflow.steps[claimed.stepId]?.alias;
    const faults = await this.#faults(workspace, claimed.agent, { name, output: report.output });
    if (faults.length === 0) return report;
    const refusals = await this.#countRefusal(workspace, claimed);
    if (refusals < mostRefusals)
      throw new InvalidInputError(
        faults.map((detail) => ({
          pointer: '/output',
          detail: `${detail} (the contract of agent "${claimed.agent}"; refusal ${refusals} of ${mostRefusals})`,
        })),
      );
    return {
      type: 'fail',
      reason: `the output breaks the contract of agent "${claimed.agent}": ${faults.join('; ')}`,
      code: 'output-schema',
      retryable: true,
      output: report.output,
    };
  }

  async #faults(
    workspace: string,
    agentId: string,
    { name, output }: Readonly<{ name: string | undefined; output: JsonValue }>,
  ): Promise<readonly string[]> {
    const registered = await this.agents.find(workspace);
    const agent = registered.find(({ view }) => view.agentId === agentId);
    return agent ? runInSlices(checkOutput(agent.contract, name, output)) : [];
  }

  /** A count that is lost with its row begins again. */
  async #countRefusal(workspace: string, claimed: ClaimedAttempt): Promise<number> {
    const { contextId, stepId, version } = claimed;
    const { rows } = await sql`
      update throughline.run_claims set refusals = refusals + 1
      where (workspace, context_id, step_id, version) = (${workspace}, ${contextId}, ${stepId}, ${version})
      returning refusals`.execute(this.db);
    return z.object({ refusals: z.number() }).optional().parse(rows[0])?.refusals ?? 1;
  }
}
