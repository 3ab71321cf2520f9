import { Injectable } from '@nestjs/common';

import {
  type ItemKey,
  type ItemLookup,
  type RunFacts,
  RunConflictError,
  type StepFacts,
  findRun,
  findRunStep,
  runKey,
  runStepKey,
} from '#shared-context';
import { type CompiledWorkflow, type Happening, advanceCommand } from '#workflow';

import { requireWholeSight } from '../access/authorize.js';
import { type Principal } from '../access/principal.js';
import { type WriteAnswer, type WriteRequest } from '../writing/write-context.command.js';
import { WriteService } from '../writing/write.service.js';
import { type ClaimedAttempt } from './attempt-token.js';
import { type FoundRun, RunDefinitions } from './run-definitions.js';
import { RunReader } from './run-reader.js';

/** What a request says beside what happened to the run. */
export type RunRequest = Pick<
  WriteRequest,
  'principal' | 'contextId' | 'origin' | 'ifMatch' | 'idempotency' | 'startedUnder' | 'signal'
>;

/**
 * `workflow`: undefined if the definition of the run is not in this store. `verifies`: whether the worker was to find out if the attempt
 * before took effect.
 */
export type ReportedAttempt = Pick<FoundRun, 'workflow'> & Readonly<{ verifies: boolean }>;

/** Which run is written to, and what is decided with. */
type RunToAdvance = Omit<FoundRun, 'run'> & Readonly<{ runId: string }>;

/** Writes what happens to runs: the definition that a run was started with decides what follows. */
@Injectable()
export class RunWriter {
  constructor(
    private readonly reader: RunReader,
    private readonly definitions: RunDefinitions,
    private readonly writes: WriteService,
  ) {}

  /** The run of a context, for who sees everything of it. `runId`: of this run and no other. */
  async find(
    { principal, contextId }: Readonly<{ principal: Principal; contextId: string }>,
    runId?: string,
  ): Promise<FoundRun> {
    requireWholeSight(principal);
    const current = await this.#read(principal, contextId);
    const id = { workspace: principal.workspace, contextId };
    return this.definitions.with(id, runIn(current, runId));
  }

  /** This run, if it is the newest of its context, and where it is in one of its steps: for who has proof of their attempt. */
  async findNewest(
    principal: Principal,
    { contextId, runId, stepId }: Pick<ClaimedAttempt, 'contextId' | 'runId' | 'stepId'>,
  ): Promise<Readonly<{ run: RunFacts; step: StepFacts | undefined }> | undefined> {
    const current = await this.#read(principal, contextId, [runStepKey(stepId)]);
    const run = findRun(current);
    return run?.runId === runId ? { run, step: findRunStep(stepId, current) } : undefined;
  }

  /**
   * What a report is decided with; undefined if another run has taken the place of its run. Reads the run only if its definition is not
   * remembered, or if the recovery of the step is `verify`: then only the run says what the worker was to do.
   */
  async findReported(
    principal: Principal,
    claimed: ClaimedAttempt,
  ): Promise<ReportedAttempt | undefined> {
    const id = { workspace: principal.workspace, contextId: claimed.contextId };
    const known = this.definitions.recall(id, claimed.runId);
    if (known && !mayVerify(known.workflow, claimed.stepId))
      return { workflow: known.workflow, verifies: false };
    const found = await this.findNewest(principal, claimed);
    if (!found) return undefined;
    const workflow = await this.definitions.of(id, found.run);
    return { workflow, verifies: found.step?.verify === true };
  }

  advance(request: RunRequest, found: FoundRun, happening: Happening): Promise<WriteAnswer> {
    return this.write(request, { ...found, runId: found.run.runId }, happening);
  }

  write(
    request: RunRequest,
    { runId, workflow, now, epoch }: RunToAdvance,
    happening: Happening,
  ): Promise<WriteAnswer> {
    const given = { contextId: request.contextId, runId, now, random: Math.random(), epoch };
    return this.writes.write({
      ...request,
      commands: [advanceCommand(workflow, happening, given)],
    });
  }

  /** Answers a request that was stored before as it was answered then, and refuses every other one. */
  refuse(request: RunRequest, refusal: Error): Promise<WriteAnswer> {
    return this.writes.write({ ...request, commands: [], refusal });
  }

  async #read(
    principal: Principal,
    contextId: string,
    more: readonly ItemKey[] = [],
  ): Promise<ItemLookup> {
    const keys = [runKey, ...more];
    const { state } = await this.reader.readWhole(
      { principal, contextId },
      { keys, bodies: false },
    );
    return state.lookup;
  }
}

function mayVerify({ steps }: CompiledWorkflow, stepId: string): boolean {
  const step = Object.hasOwn(steps, stepId) ? steps[stepId] : undefined;
  return step?.type !== 'agent' || step.attempts.recovery?.kind === 'verify';
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
