import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';

import { everything } from '#context-views';
import {
  StaleAttemptError,
  findRun,
  findRunStep,
  isActiveRun,
  runKey,
  runStepKey,
} from '#shared-context';

import { ReachableContext } from '../reading/reachable-context.js';
import { hashOfToken } from './attempt-token.js';
import { claimedBy } from './report-work.handler.js';
import { HeartbeatCommand, type LeaseView } from './runs.messages.js';
import { WorkQueue } from './work-queue.js';

@CommandHandler(HeartbeatCommand)
export class HeartbeatHandler implements ICommandHandler<HeartbeatCommand> {
  constructor(
    private readonly contexts: ReachableContext,
    private readonly queue: WorkQueue,
  ) {}

  async execute({ principal, attemptToken }: HeartbeatCommand): Promise<LeaseView> {
    const claimed = claimedBy(principal, attemptToken);
    const { contextId, runId, stepId, visit, attempt } = claimed;
    const wanted = { principal, contextId, audience: everything };
    const keys = [runKey, runStepKey(stepId)];
    const { state } = await this.contexts.read(wanted, { keys, bodies: false });
    const run = findRun(state.lookup);
    const step = findRunStep(stepId, state.lookup);
    const isOwn =
      step?.visit === visit &&
      step.attempt === attempt &&
      step.tokenHash === hashOfToken(attemptToken) &&
      (step.status === 'running' || step.status === 'doubt');
    if (run?.runId !== runId || !isActiveRun(run) || !isOwn) throw new StaleAttemptError();
    const leaseUntil = await this.queue.renew(principal.workspace, claimed, principal.name);
    return {
      leaseUntil: leaseUntil.toISOString(),
      deadline: step.deadline,
      cancelRequested: run.status === 'cancelling',
    };
  }
}
