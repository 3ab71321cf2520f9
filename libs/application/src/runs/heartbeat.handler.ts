import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';

import { StaleAttemptError, isActiveRun } from '#shared-context';
import { mayReport } from '#workflow';

import { AttemptClaims } from './attempt-claims.js';
import { hashOfToken } from './attempt-token.js';
import { claimedBy } from './report-work.handler.js';
import { RunWriter } from './run-writer.js';
import { HeartbeatCommand, type LeaseView } from './runs.messages.js';
import { StoreClock } from './store-clock.js';
import { UnrestrictedWorkers } from './unrestricted-workers.js';

@CommandHandler(HeartbeatCommand)
export class HeartbeatHandler implements ICommandHandler<HeartbeatCommand> {
  constructor(
    private readonly writer: RunWriter,
    private readonly claims: AttemptClaims,
    private readonly clock: StoreClock,
    private readonly unrestricted: UnrestrictedWorkers,
  ) {}

  async execute({ principal, attemptToken, leaseMs }: HeartbeatCommand): Promise<LeaseView> {
    const claimed = claimedBy(principal, attemptToken);
    this.unrestricted.noteActivity(principal, claimed.agent);
    const [found, { epoch }] = await Promise.all([
      this.writer.findNewest(principal, claimed),
      this.clock.read(),
    ]);
    if (!found?.step || !isActiveRun(found.run)) throw new StaleAttemptError();
    const { run, step } = found;
    const isCurrentEpoch = run.epoch === epoch;
    const tokenHash = hashOfToken(attemptToken);
    if (!isCurrentEpoch || !mayReport(step, { ...claimed, tokenHash }))
      throw new StaleAttemptError();
    const lease = { by: principal.name, leaseMs };
    const leaseUntil = await this.claims.renew(principal.workspace, claimed, lease);
    return {
      leaseUntil: leaseUntil.toISOString(),
      deadline: step.deadline,
      cancelRequested: run.status === 'cancelling',
    };
  }
}
