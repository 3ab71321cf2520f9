import { DomainError } from '#event-sourcing';

/** The command is not possible in the current state of the run, or without a run. */
export class RunConflictError extends DomainError<'run-state'> {
  readonly code = 'run-state';
}

/** The attempt has ended, or another attempt with another token has replaced it. */
export class StaleAttemptError extends DomainError<'stale-attempt'> {
  readonly code = 'stale-attempt';

  constructor(
    message = 'the attempt has ended, or another one has replaced it: discard its result, and claim new work',
    options: ErrorOptions = {},
  ) {
    super(message, options);
  }
}

/** The output violates the contract of its agent. */
export class OutputRefusedError extends DomainError<'validation-failed'> {
  readonly code = 'validation-failed';

  constructor(readonly faults: readonly string[]) {
    super(`the output violates the contract of its agent: ${faults.join('; ')}`);
  }
}

/** The approval was decided differently, has expired or was withdrawn. */
export class ApprovalAnsweredError extends DomainError<'approval-decided'> {
  readonly code = 'approval-decided';

  constructor(
    readonly approvalId: string,
    readonly decision: string,
  ) {
    super(`approval "${approvalId}" is ${decision} already`, { details: { approvalId, decision } });
  }
}

/** Agents may not resume runs that were restored or imported. */
export class PersonNeededError extends DomainError<'forbidden'> {
  readonly code = 'forbidden';

  constructor(runId: string) {
    super(`run "${runId}" was restored or imported: a person has to resume it`);
  }
}

/** People may not decide about their own work. */
export class OwnWorkError extends DomainError<'forbidden'> {
  readonly code = 'forbidden';

  constructor(approvalId: string) {
    super(`approval "${approvalId}" is about your own work: another person has to decide it`);
  }
}
