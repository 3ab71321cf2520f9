import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';

import { everything } from '#context-views';
import {
  StaleAttemptError,
  type StepFacts,
  findRun,
  findRunStep,
  isActiveRun,
  runKey,
  runStepKey,
} from '#shared-context';

import { ReachableContext } from '../reading/reachable-context.js';
import { type ClaimedAttempt, hashOfToken } from './attempt-token.js';
import { claimedBy } from './report-work.handler.js';
import { HeartbeatCommand, type LeaseView } from './runs.messages.js';
import { WorkQueue } from './work-queue.js';

@CommandHandler(HeartbeatCommand)
export class HeartbeatHandler implements ICommandHandler<HeartbeatCommand> {
  constructor(
    private readonly contexts: ReachableContext,
    private readonly queue: WorkQueue,
  ) {}

  async execute({ principal, attemptToken, leaseMs }: HeartbeatCommand): Promise<LeaseView> {
    const claimed = claimedBy(principal, attemptToken);
    const { contextId, runId, stepId } = claimed;
    const wanted = { principal, contextId, audience: everything };
    const keys = [runKey, runStepKey(stepId)];
    const { state } = await this.contexts.read(wanted, { keys, bodies: false });
    const run = findRun(state.lookup);
    const step = findRunStep(stepId, state.lookup);
    const isRunning = run?.runId === runId && isActiveRun(run);
    if (!isRunning || !step || !isOwn(step, claimed, hashOfToken(attemptToken)))
      throw new StaleAttemptError();
    const lease = { by: principal.name, leaseMs };
    const leaseUntil = await this.queue.renew(principal.workspace, claimed, lease);
    return {
      leaseUntil: leaseUntil.toISOString(),
      deadline: step.deadline,
      cancelRequested: run.status === 'cancelling',
    };
  }
}

/** Whether the attempt that runs, or that a person is asked about, is the one of the token. */
function isOwn(step: StepFacts, { visit, attempt }: ClaimedAttempt, tokenHash: string): boolean {
  const runs = step.status === 'running' || step.status === 'doubt';
  return runs && step.visit === visit && step.attempt === attempt && step.tokenHash === tokenHash;
}
