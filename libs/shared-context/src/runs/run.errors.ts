import { DomainError } from '#event-sourcing';

/** The run, or that there is none, does not allow it. */
export class RunConflictError extends DomainError<'run-state'> {
  readonly code = 'run-state';
}

/** Another attempt has started since, under another token, or this one has ended otherwise. */
export class StaleAttemptError extends DomainError<'stale-attempt'> {
  readonly code = 'stale-attempt';

  constructor(
    message = 'the attempt has ended, or another one has taken its place: drop its result, and claim new work',
    options: ErrorOptions = {},
  ) {
    super(message, options);
  }
}

/** The output is not what its agent has promised. */
export class OutputRefusedError extends DomainError<'validation-failed'> {
  readonly code = 'validation-failed';

  constructor(readonly faults: readonly string[]) {
    super(`the output is not what its agent has promised: ${faults.join('; ')}`);
  }
}

/** Somebody decided otherwise before, or the approval has expired or was withdrawn. */
export class ApprovalAnsweredError extends DomainError<'approval-decided'> {
  readonly code = 'approval-decided';

  constructor(
    readonly approvalId: string,
    readonly decision: string,
  ) {
    super(`approval "${approvalId}" is ${decision} already`, { details: { approvalId, decision } });
  }
}

/** Agents do not take runs over that were restored or imported. */
export class PersonNeededError extends DomainError<'forbidden'> {
  readonly code = 'forbidden';

  constructor(runId: string) {
    super(`run "${runId}" was restored or imported: a person decides that it goes on here`);
  }
}

/** Nobody decides about their own work. */
export class OwnWorkError extends DomainError<'forbidden'> {
  readonly code = 'forbidden';

  constructor(approvalId: string) {
    super(`approval "${approvalId}" is about your own work: somebody else decides it`);
  }
}
