import { Injectable } from '@nestjs/common';

import { everything } from '#context-views';
import { type ItemLookup, type RunFacts, RunConflictError, findRun, runKey } from '#shared-context';
import { type CompiledWorkflow, type Happening, advanceCommand } from '#workflow';

import { type Principal } from '../access/principal.js';
import { ReachableContext } from '../reading/reachable-context.js';
import { type WriteAnswer, type WriteRequest } from '../writing/write-context.command.js';
import { WriteService } from '../writing/write.service.js';
import { RunDefinitions, storeEpoch } from './run-definitions.js';

/** What a request says beside what happened to the run. */
export type RunRequest = Pick<
  WriteRequest,
  'principal' | 'contextId' | 'origin' | 'ifMatch' | 'idempotency' | 'startedUnder'
>;

export type FoundRun = Readonly<{ run: RunFacts; workflow: CompiledWorkflow; now: number }>;

/** Writes what happens to runs: the definition that a run was started with decides what follows. */
@Injectable()
export class RunWriter {
  constructor(
    private readonly contexts: ReachableContext,
    private readonly definitions: RunDefinitions,
    private readonly writes: WriteService,
  ) {}

  /** The run of a context, for who sees everything of it. `runId`: of this run and no other. */
  async find(
    { principal, contextId }: Readonly<{ principal: Principal; contextId: string }>,
    runId?: string,
  ): Promise<FoundRun> {
    const asked = { principal, contextId, audience: everything };
    const { state } = await this.contexts.read(asked, { keys: [runKey], bodies: false });
    const run = runIn(state.lookup, runId);
    return { run, ...(await this.definitions.of(principal.workspace, run)) };
  }

  async advance(
    request: RunRequest,
    { run: { runId }, workflow, now }: FoundRun,
    happening: Happening,
  ): Promise<WriteAnswer> {
    return this.write(request, { runId, workflow, now }, happening);
  }

  async write(
    request: RunRequest,
    { runId, workflow, now }: Readonly<{ runId: string; workflow: CompiledWorkflow; now: number }>,
    happening: Happening,
  ): Promise<WriteAnswer> {
    const { contextId } = request;
    const given = { contextId, runId, now, random: Math.random(), epoch: storeEpoch };
    return this.writes.write({
      ...request,
      commands: [advanceCommand(workflow, happening, given)],
    });
  }
}

function runIn(current: ItemLookup, runId: string | undefined): RunFacts {
  const run = findRun(current);
  if (!run) throw new RunConflictError('there is no run in this context: start one');
  if (runId !== undefined && run.runId !== runId)
    throw new RunConflictError(
      `run "${runId}" is over, and run "${run.runId}" has taken its place`,
    );
  return run;
}
