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
  ) {
    super(message);
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

/** Nobody decides about their own work. */
export class OwnWorkError extends DomainError<'forbidden'> {
  readonly code = 'forbidden';

  constructor(approvalId: string) {
    super(`approval "${approvalId}" is about your own work: somebody else decides it`);
  }
}
