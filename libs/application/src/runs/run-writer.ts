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
import { type CompiledWorkflow, type RunCommand, advanceCommand } from '#workflow';

import { requireFullVisibility } from '../access/reach.js';
import { type Principal } from '../access/principal.js';
import { type WriteAnswer, type WriteRequest } from '../writing/write-context.command.js';
import { WriteService } from '../writing/write.service.js';
import { type ClaimedAttempt } from './attempt-token.js';
import { type FoundRun, RunDefinitions } from './run-definitions.js';
import { RunReader } from './run-reader.js';

/** The members of a request that changes a run. */
export type RunRequest = Pick<
  WriteRequest,
  'principal' | 'contextId' | 'origin' | 'ifMatch' | 'idempotency' | 'startedUnder' | 'signal'
>;

/**
 * `workflow`: undefined if this store does not contain the definition of the run. `verifies`: whether the worker had to verify
 * whether the previous attempt took effect.
 */
type ReportedAttempt = Pick<FoundRun, 'workflow'> & Readonly<{ verifies: boolean }>;

/** The run to advance, and the facts that decide the next events. */
type RunToAdvance = Omit<FoundRun, 'run'> & Readonly<{ runId: string }>;

/** Advances runs: the definition with which a run was started decides the next events. */
@Injectable()
export class RunWriter {
  constructor(
    private readonly reader: RunReader,
    private readonly definitions: RunDefinitions,
    private readonly writes: WriteService,
  ) {}

  /** The run of a context. Requires a key that sees everything. Throws if `runId` is given and the context has another run. */
  async find(
    { principal, contextId }: Readonly<{ principal: Principal; contextId: string }>,
    runId?: string,
  ): Promise<FoundRun> {
    requireFullVisibility(principal);
    const current = await this.#read(principal, contextId);
    const id = { workspace: principal.workspace, contextId };
    return this.definitions.load(id, runIn(current, runId));
  }

  /**
   * This run and the state of one of its steps, if it is the newest run of its context. Only for callers that have verified the
   * token of an attempt.
   */
  async findNewest(
    principal: Principal,
    { contextId, runId, stepId }: Pick<ClaimedAttempt, 'contextId' | 'runId' | 'stepId'>,
  ): Promise<Readonly<{ run: RunFacts; step: StepFacts | undefined }> | undefined> {
    const current = await this.#read(principal, contextId, [runStepKey(stepId)]);
    const run = findRun(current);
    return run?.runId === runId ? { run, step: findRunStep(stepId, current) } : undefined;
  }

  /**
   * The facts that decide a report; undefined if another run has replaced its run. Reads the run only if its definition is not
   * cached, or if the recovery of the step is `verify`: then only the run states what the worker had to do.
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
    const workflow = await this.definitions.findWorkflow(id, found.run);
    return { workflow, verifies: found.step?.verify === true };
  }

  advance(request: RunRequest, found: FoundRun, runCommand: RunCommand): Promise<WriteAnswer> {
    return this.write(request, { ...found, runId: found.run.runId }, runCommand);
  }

  write(
    request: RunRequest,
    { runId, workflow, now, epoch }: RunToAdvance,
    runCommand: RunCommand,
  ): Promise<WriteAnswer> {
    const facts = { contextId: request.contextId, runId, now, random: Math.random(), epoch };
    return this.writes.write({
      ...request,
      commands: [advanceCommand(workflow, runCommand, facts)],
    });
  }

  /** Repeats the answer of a request that was stored before; throws `refusal` for any other request. */
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
    throw new RunConflictError(`run "${runId}" has ended, and run "${run.runId}" has replaced it`);
  return run;
}
