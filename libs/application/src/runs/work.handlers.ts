import { createHash } from 'node:crypto';

import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';

import { everything } from '#context-views';
import { DomainError } from '#event-sourcing';
import {
  type ItemKey,
  StaleAttemptError,
  findRunStep,
  frozenOutputsKey,
  runInputKey,
  runKey,
  runStepKey,
  stepOutputKey,
} from '#shared-context';
import {
  type CompiledWorkflow,
  type Envelope,
  RunDraft,
  effectText,
  envelopeOf,
  givenText,
} from '#workflow';

import { authorizeAgent, requireWholeSight, requireWriter } from '../access/authorize.js';
import { type Principal } from '../access/principal.js';
import { ReachableContext } from '../reading/reachable-context.js';
import { type WriteAnswer } from '../writing/write-context.command.js';
import { hashOfToken, makeToken, placeIn } from './attempt-token.js';
import { storeEpoch } from './run-definitions.js';
import { type FoundRun, RunWriter } from './run-writer.js';
import { ClaimWorkCommand, type ClaimedWork, ReportWorkCommand } from './runs.messages.js';
import { type WaitingAttempt, WorkQueue } from './work-queue.js';

@CommandHandler(ClaimWorkCommand)
export class ClaimWorkHandler implements ICommandHandler<ClaimWorkCommand> {
  constructor(
    private readonly queue: WorkQueue,
    private readonly contexts: ReachableContext,
    private readonly writer: RunWriter,
  ) {}

  async execute({ principal, agents }: ClaimWorkCommand): Promise<ClaimedWork | undefined> {
    requireWriter(principal);
    requireWholeSight(principal);
    for (const agent of agents) authorizeAgent(principal, agent);
    const { workspace, contexts, workflows } = principal;
    for (const waiting of await this.queue.waiting({ workspace, agents, contexts, workflows })) {
      if (!(await this.queue.hold(workspace, waiting, principal.name))) continue;
      const claimed = await this.#tryStart(principal, waiting);
      if (claimed) return claimed;
    }
    return undefined;
  }

  /** The row may be behind: whatever the run itself refuses is none of the worker's business. */
  async #tryStart(principal: Principal, waiting: WaitingAttempt): Promise<ClaimedWork | undefined> {
    try {
      return await this.#start(principal, waiting);
    } catch (error) {
      if (error instanceof DomainError && refusals.has(error.code)) return undefined;
      throw error;
    }
  }

  async #start(principal: Principal, waiting: WaitingAttempt): Promise<ClaimedWork | undefined> {
    const { contextId, runId, stepId, visit, attempt, agent } = waiting;
    const found = await this.writer.find({ principal, contextId }, runId);
    const envelope = await this.#envelope(principal, waiting, found);
    const attemptToken = makeToken(waiting);
    const tokenHash = hashOfToken(attemptToken);
    const { effectKey } = envelope;
    const origin = agent === principal.agentId ? {} : { agentId: agent };
    const request = { principal, contextId, origin, startedUnder: tokenHash };
    const report = { stepId, visit, attempt, tokenHash, worker: agent };
    const { events } = await this.writer.advance(request, found, {
      ...{ ...report, type: 'claim', effectKey },
    });
    if (!events.some(({ type }) => type === 'StepAttemptStarted')) return undefined;
    return { ...envelope, attemptToken, deadline: deadlineOf(found, stepId) };
  }

  async #envelope(
    principal: Principal,
    { contextId, runId, stepId }: WaitingAttempt,
    { workflow, now }: FoundRun,
  ): Promise<Envelope> {
    const keys = envelopeKeys(workflow);
    const asked = { principal, contextId, audience: everything };
    const { state, head } = await this.contexts.read(asked, { keys, bodies: true });
    const given = { contextId, runId, now, random: 0, epoch: storeEpoch, version: head.version };
    const draft = new RunDraft(state.lookup, workflow, given);
    const envelope = envelopeOf(draft, stepId, { contextId, effectKey: '' });
    const path = findRunStep(stepId, state.lookup)?.path ?? stepId;
    const inputHash = sha256(givenText(envelope));
    const { workspace } = principal;
    const effectKey = sha256(effectText({ workspace, contextId, runId, path, inputHash }));
    return { ...envelope, effectKey };
  }
}

@CommandHandler(ReportWorkCommand)
export class ReportWorkHandler implements ICommandHandler<ReportWorkCommand> {
  constructor(
    private readonly contexts: ReachableContext,
    private readonly writer: RunWriter,
  ) {}

  async execute({ request, attemptToken, report }: ReportWorkCommand): Promise<WriteAnswer> {
    const { principal } = request;
    requireWriter(principal);
    requireWholeSight(principal);
    const { contextId, runId, stepId, visit, attempt } = placeIn(attemptToken);
    const found = await this.writer.find({ principal, contextId });
    // Another run has taken its place.
    if (found.run.runId !== runId) throw new StaleAttemptError();
    const worker = await this.#workerOf(principal, { contextId, stepId });
    const origin = worker === principal.agentId ? {} : { agentId: worker };
    const tokenHash = hashOfToken(attemptToken);
    return this.writer.advance(
      { ...request, contextId, origin: { ...request.origin, ...origin } },
      found,
      {
        ...{ ...report, stepId, visit, attempt, tokenHash, worker },
      },
    );
  }

  /** Only a key that may act for the agent reports for it, whoever has got hold of the token. */
  async #workerOf(
    principal: Principal,
    { contextId, stepId }: Readonly<{ contextId: string; stepId: string }>,
  ): Promise<string> {
    const asked = { principal, contextId, audience: everything };
    const keys = [runKey, runStepKey(stepId)];
    const { state } = await this.contexts.read(asked, { keys, bodies: false });
    const agent = findRunStep(stepId, state.lookup)?.agent ?? principal.name;
    if (agent !== principal.name) authorizeAgent(principal, agent);
    return agent;
  }
}

/** What tells that an attempt is not to be started now. */
const refusals: ReadonlySet<string> = new Set([
  ...['run-state', 'stale-attempt', 'context-not-found', 'context-closed', 'not-found'],
]);

/** Everything that a worker may be shown: the newest results of all steps, and those of before their parallel steps began. */
function envelopeKeys({ steps }: CompiledWorkflow): readonly ItemKey[] {
  const ofSteps = Object.keys(steps).flatMap((stepId) => [
    ...[runStepKey(stepId), stepOutputKey(stepId), frozenOutputsKey(stepId)],
  ]);
  return [runKey, runInputKey, ...ofSteps];
}

function deadlineOf({ workflow, now }: FoundRun, stepId: string): string {
  const step = workflow.steps[stepId];
  const timeoutMs = step?.type === 'agent' ? step.attempts.timeoutMs : 0;
  return new Date(now + timeoutMs).toISOString();
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
