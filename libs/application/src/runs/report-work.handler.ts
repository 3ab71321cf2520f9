import { Injectable } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';

import { ContextClosedError, OutputRefusedError, StaleAttemptError } from '#shared-context';

import { requireWriter } from '../access/authorize.js';
import { authorizeAgent } from '../access/claimed-agents.js';
import { seesEverything } from '../access/reach.js';
import { type Principal } from '../access/principal.js';
import {
  ConcurrencyExhaustedError,
  ForbiddenError,
  IdempotencyKeyReusedError,
  InvalidInputError,
  ServerBusyError,
} from '../errors.js';
import { type WriteAnswer } from '../writing/write-context.command.js';
import { AttemptClaims } from './attempt-claims.js';
import { AttemptFacts } from './attempt-facts.js';
import { type ClaimedAttempt, decodeToken, hashOfToken } from './attempt-token.js';
import { OutputCheck, maxRefusals } from './output-check.js';
import { type RunRequest, RunWriter } from './run-writer.js';
import { ReportWorkCommand, type WorkReport } from './runs.messages.js';
import { UnrestrictedWorkers } from './unrestricted-workers.js';
import { authorFor, holderOf, originFor } from './worker.js';

/** A report that loses races with other writes to its context is decided again for at most this time. */
const maxTryingMs = 30_000;

type SentReport = Readonly<{ report: WorkReport; tokenHash: string }>;

/** Dependencies of {@link ReportWorkHandler}, bundled to limit the parameters of its constructor. */
@Injectable()
export class ReportParts {
  constructor(
    readonly facts: AttemptFacts,
    readonly outputs: OutputCheck,
    readonly unrestricted: UnrestrictedWorkers,
  ) {}
}

@CommandHandler(ReportWorkCommand)
export class ReportWorkHandler implements ICommandHandler<ReportWorkCommand> {
  constructor(
    private readonly writer: RunWriter,
    private readonly claims: AttemptClaims,
    private readonly parts: ReportParts,
  ) {}

  async execute({ request, attemptToken, report }: ReportWorkCommand): Promise<WriteAnswer> {
    const { principal } = request;
    const claimed = claimedBy(principal, attemptToken);
    const { contextId, agent } = claimed;
    this.parts.unrestricted.noteActivity(principal, agent);
    const tokenHash = hashOfToken(attemptToken);
    const origin = { ...request.origin, ...originFor(principal, agent) };
    // A repeated report gets the first answer again, even if the run has changed since.
    const idempotency = underToken(tokenHash, report);
    const own = { ...request, contextId, origin, idempotency };
    const answer = await this.#store(own, claimed, { report, tokenHash });
    await this.claims.end(principal.workspace, claimed);
    return seesEverything(principal) ? answer : ownPart(answer);
  }

  /** Retries a report that loses races with other writes to the context. */
  async #store(
    request: RunRequest,
    claimed: ClaimedAttempt,
    sent: SentReport,
  ): Promise<WriteAnswer> {
    const end = performance.now() + maxTryingMs;
    for (;;)
      try {
        return await this.#tryStore(request, claimed, sent);
      } catch (error) {
        if (error instanceof IdempotencyKeyReusedError)
          throw new StaleAttemptError(
            'another result of this attempt is stored already: drop this one',
          );
        // A context is closed only after its run has ended.
        if (error instanceof ContextClosedError)
          throw new StaleAttemptError(undefined, { cause: error });
        if (!(error instanceof ConcurrencyExhaustedError)) throw error;
        if (performance.now() > end)
          throw new ServerBusyError('other writers keep changing this context: repeat the report', {
            cause: error,
          });
      }
  }

  async #tryStore(
    request: RunRequest,
    claimed: ClaimedAttempt,
    { report, tokenHash }: SentReport,
  ): Promise<WriteAnswer> {
    const { principal } = request;
    const { runId, stepId, visit, attempt, agent } = claimed;
    const [found, { now, epoch, agents }] = await Promise.all([
      this.writer.findReported(principal, claimed),
      this.parts.facts.read(principal.workspace),
    ]);
    if (!found) return this.writer.refuse(request, new StaleAttemptError());
    const { workflow, verifies } = found;
    const run = { runId, workflow, now, epoch };
    const worker = authorFor(principal, agent);
    const attempted = { stepId, visit, attempt, worker, tokenHash };
    if (report.type === 'fail' || !workflow)
      return this.writer.write(request, run, { ...report, ...attempted });
    const { output } = report;
    const faults = await this.parts.outputs.faults(agents, { workflow, stepId, verifies, output });
    try {
      return await this.writer.write(request, run, { ...report, ...attempted, faults });
    } catch (error) {
      if (!(error instanceof OutputRefusedError)) throw error;
      const failure = await this.#failureOf(principal, claimed, { ...error, output });
      return this.writer.write(request, run, { ...failure, ...attempted });
    }
  }

  /**
   * Throws InvalidInputError if the worker may correct the output; after too many refusals, returns the failure of the
   * attempt.
   */
  async #failureOf(
    { workspace }: Principal,
    claimed: ClaimedAttempt,
    {
      faults,
      output,
    }: Pick<OutputRefusedError, 'faults'> &
      Pick<Extract<WorkReport, { type: 'complete' }>, 'output'>,
  ): Promise<Extract<WorkReport, { type: 'fail' }>> {
    const refusals = await this.parts.outputs.countRefusal(workspace, claimed);
    if (refusals < maxRefusals)
      throw new InvalidInputError(
        faults.map((detail) => ({
          pointer: '/output',
          detail: `${detail} (the contract of the step's agent; refusal ${refusals} of ${maxRefusals})`,
        })),
      );
    const reason = `the output breaks the contract of the step's agent: ${faults.join('; ')}`;
    return { type: 'fail', reason, code: 'output-schema', retryable: true, output };
  }
}

/** Decodes the token. Requires the key that has claimed the attempt; it must still be allowed to act for the agent. */
export function claimedBy(principal: Principal, attemptToken: string): ClaimedAttempt {
  requireWriter(principal);
  const claimed = decodeToken(attemptToken);
  if (claimed.claimedBy !== holderOf(principal))
    throw new ForbiddenError('this token belongs to another key: claim work with this key');
  authorizeAgent(principal, claimed.agent);
  return claimed;
}

const reportTypes: ReadonlySet<string> = new Set(['StepOutputAdded', 'StepAttemptFailed']);

/**
 * The part of the answer for keys of narrower audiences: the event of the report, without the conclusions of the
 * interpreter.
 */
function ownPart({ events, ...answer }: WriteAnswer): WriteAnswer {
  const own = events.find(({ type }) => reportTypes.has(type));
  return { ...answer, events: own ? [own] : [], extraFields: {} };
}

/** Derives the idempotency key from the token of the attempt, and ignores a key of the request. */
function underToken(tokenHash: string, report: WorkReport): RunRequest['idempotency'] {
  return {
    key: tokenHash,
    method: report.type,
    path: 'reports of attempts',
    body: JSON.stringify(report),
  };
}
