import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';

import { StaleAttemptError } from '#shared-context';

import { authorizeAgent, requireWholeSight, requireWriter } from '../access/authorize.js';
import { type Principal } from '../access/principal.js';
import {
  ConcurrencyExhaustedError,
  ForbiddenError,
  IdempotencyKeyReusedError,
  ServerBusyError,
} from '../errors.js';
import { type WriteAnswer } from '../writing/write-context.command.js';
import { type ClaimedAttempt, attemptIn, hashOfToken } from './attempt-token.js';
import { type RunRequest, RunWriter } from './run-writer.js';
import { ReportWorkCommand, type WorkReport } from './runs.messages.js';
import { OutputCheck } from './output-check.js';
import { WorkQueue } from './work-queue.js';
import { authorFor, holderOf, originFor } from './worker.js';

/** For so long a report is decided again while others keep writing to its context first. */
const mostTryingMs = 30_000;

type SentReport = Readonly<{ report: WorkReport; tokenHash: string }>;

@CommandHandler(ReportWorkCommand)
export class ReportWorkHandler implements ICommandHandler<ReportWorkCommand> {
  constructor(
    private readonly writer: RunWriter,
    private readonly queue: WorkQueue,
    private readonly outputs: OutputCheck,
  ) {}

  async execute({ request, attemptToken, report }: ReportWorkCommand): Promise<WriteAnswer> {
    const { principal } = request;
    const claimed = claimedBy(principal, attemptToken);
    const { contextId, agent } = claimed;
    const tokenHash = hashOfToken(attemptToken);
    const origin = { ...request.origin, ...originFor(principal, agent) };
    // The same report again is answered as it was first, whatever has happened to the run since.
    const idempotency = request.idempotency ?? underToken(tokenHash, report);
    const own = { ...request, contextId, origin, idempotency };
    const answer = await this.#store(own, claimed, { report, tokenHash });
    await this.queue.release(principal.workspace, claimed);
    return answer;
  }

  /** Reports are never given up because others write to the same context. */
  async #store(
    request: RunRequest,
    claimed: ClaimedAttempt,
    sent: SentReport,
  ): Promise<WriteAnswer> {
    const end = performance.now() + mostTryingMs;
    for (;;)
      try {
        return await this.#tryStore(request, claimed, sent);
      } catch (error) {
        if (error instanceof IdempotencyKeyReusedError && request.idempotency?.path === reports)
          throw new StaleAttemptError(
            'another result of this attempt was reported before, and is stored: drop this one',
          );
        if (!(error instanceof ConcurrencyExhaustedError)) throw error;
        if (performance.now() > end)
          throw new ServerBusyError('others keep writing to this context: repeat the report', {
            cause: error,
          });
      }
  }

  async #tryStore(
    request: RunRequest,
    claimed: ClaimedAttempt,
    { report, tokenHash }: SentReport,
  ): Promise<WriteAnswer> {
    const { principal, contextId } = request;
    const { runId, stepId, visit, attempt, agent } = claimed;
    const found = await this.writer.findNewest(principal, { contextId, runId });
    if (!found) return this.writer.refuse(request, new StaleAttemptError());
    const { workflow } = found;
    const settled = workflow
      ? await this.outputs.settle(principal.workspace, claimed, { report, workflow })
      : report;
    const worker = authorFor(principal, agent);
    const attempted = { stepId, visit, attempt, worker, tokenHash };
    return this.writer.advance(request, found, { ...settled, ...attempted });
  }
}

/** Only the key that has claimed the attempt reports of it, as long as it may act for the agent. */
export function claimedBy(principal: Principal, attemptToken: string): ClaimedAttempt {
  requireWriter(principal);
  requireWholeSight(principal);
  const claimed = attemptIn(attemptToken);
  if (claimed.claimedBy !== holderOf(principal))
    throw new ForbiddenError('this token was given to another key: claim work with this one');
  authorizeAgent(principal, claimed.agent);
  return claimed;
}

const reports = 'reports of attempts';

function underToken(tokenHash: string, report: WorkReport): RunRequest['idempotency'] {
  return {
    ...{ key: tokenHash, method: report.type, path: reports },
    body: JSON.stringify(report),
  };
}
