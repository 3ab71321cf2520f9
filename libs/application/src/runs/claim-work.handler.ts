import { Injectable } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';

import { requireWriter } from '../access/authorize.js';
import { authorizeAgent } from '../access/claimed-agents.js';
import { seesEverything } from '../access/reach.js';
import { type Principal } from '../access/principal.js';
import { refuseReservedNames } from '../access/reserved-names.js';
import { firstAudience } from '../audiences/audiences.js';
import { KeyEndedError } from '../errors.js';
import { KeyStore } from '../authentication/key-store.js';
import { AttemptClaims } from './attempt-claims.js';
import { decodeToken } from './attempt-token.js';
import { AttemptWait } from './attempt-wait.js';
import { DueRuns } from './due-runs.js';
import { RunReader } from './run-reader.js';
import { ClaimWorkCommand, type ClaimedWork } from './runs.messages.js';
import { type WaitingAttempt } from './waiting-attempt.js';
import { WaitingClaims } from './waiting-claims.js';
import { UnrestrictedWorkers } from './unrestricted-workers.js';
import { WorkArrivals } from './work-arrivals.js';
import { WorkClaimer } from './work-claimer.js';
import { holderOf } from './worker.js';

/** Dependencies of {@link ClaimWorkHandler}, bundled to limit the parameters of its constructor. */
@Injectable()
export class ClaimParts {
  constructor(
    readonly keys: KeyStore,
    readonly runs: DueRuns,
    readonly claims: AttemptClaims,
    readonly reader: RunReader,
  ) {}
}

@CommandHandler(ClaimWorkCommand)
export class ClaimWorkHandler implements ICommandHandler<ClaimWorkCommand> {
  readonly #waiting = new WaitingClaims();

  constructor(
    private readonly claimer: WorkClaimer,
    private readonly arrivals: WorkArrivals,
    private readonly parts: ClaimParts,
    private readonly unrestricted: UnrestrictedWorkers,
  ) {}

  async execute(command: ClaimWorkCommand): Promise<ClaimedWork | undefined> {
    const { principal, agents, options } = command;
    requireWriter(principal);
    for (const agent of agents) authorizeAgent(principal, agent);
    refuseReservedNames(agents.map((agentId, at) => ({ pointer: `/agents/${at}`, agentId })));
    // Refuses an undefined audience before searching for work, so that the refusal does not depend on the work.
    await this.parts.reader.filterFor(principal, null);
    const endClaim = this.unrestricted.noteClaim(principal, agents);
    try {
      const { seconds = 0 } = options;
      return await (seconds > 0 ? this.#waitWithinLimits(command, seconds) : this.#claim(command));
    } finally {
      endClaim();
    }
  }

  async #waitWithinLimits(
    command: ClaimWorkCommand,
    seconds: number,
  ): Promise<ClaimedWork | undefined> {
    const { principal } = command;
    const holder = JSON.stringify([principal.workspace, holderOf(principal)]);
    this.#waiting.add(holder);
    try {
      return await this.#wait(command, seconds);
    } finally {
      this.#waiting.delete(holder);
    }
  }

  /** Claims the attempt that has waited longest. */
  async #claim({
    principal,
    agents,
    options: { leaseMs },
  }: ClaimWorkCommand): Promise<ClaimedWork | undefined> {
    return this.claimer.claimNext(principal, agents, leaseMs);
  }

  async #wait(command: ClaimWorkCommand, seconds: number): Promise<ClaimedWork | undefined> {
    const { principal, agents } = command;
    const { signal } = command.options;
    const { workspace, contexts, workflows } = principal;
    const audience = firstAudience(principal);
    let tries = 0;
    return new AttemptWait(this.arrivals, seconds, signal).until(
      { workspace, agents, contexts, workflows, audience },
      async (arrived) => {
        if (tries++ > 0) await this.#requireKey(principal);
        const claimed = arrived
          ? await this.#tryArrived(command, arrived)
          : await this.#claim(command);
        if (claimed && signal?.aborted) await this.#giveBack(principal.workspace, claimed);
        return claimed;
      },
    );
  }

  /**
   * If the input of the arrived attempt is hidden from the worker, tries the next attempts at once instead of at the next
   * poll.
   */
  async #tryArrived(
    command: ClaimWorkCommand,
    arrived: WaitingAttempt,
  ): Promise<ClaimedWork | undefined> {
    const { principal, options } = command;
    const claimed = await this.claimer.claim(principal, arrived, options.leaseMs);
    return claimed || seesEverything(principal) ? claimed : this.#claim(command);
  }

  /** Reports the attempt as lost: the connection was closed before the answer, so no worker has got it. */
  async #giveBack(
    workspace: string,
    { contextId, runId, step: { id: stepId, visit, attempt }, attemptToken }: ClaimedWork,
  ): Promise<void> {
    await this.parts.runs.advance({ workspace, contextId }, (run) =>
      run.runId === runId
        ? { type: 'lose', stepId, visit, attempt, usual: 'ask', isUndelivered: true }
        : undefined,
    );
    await this.parts.claims.end(workspace, decodeToken(attemptToken));
  }

  /** Refuses work to a key that has ended while its request waited. */
  async #requireKey({ keyId }: Principal): Promise<void> {
    if (keyId === null) return;
    const ended = await this.parts.keys.findEnded([keyId]);
    if (ended.length > 0) throw new KeyEndedError('the key was revoked or has expired');
  }
}
