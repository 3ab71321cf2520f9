import { DomainError, type JsonValue, describeIssues } from '#event-sourcing';

/**
 * What is wrong where: `pointer` is RFC 6901 into the payload (or the document). `suggestion`: the known member that was
 * probably meant.
 */
export type Issue = Readonly<{ pointer: string; detail: string; suggestion?: string }>;

/** The payload fits its schema but not this context. */
export class RuleViolationError extends DomainError<'validation-failed'> {
  readonly code = 'validation-failed';
  readonly issues: readonly Issue[];

  constructor(pointer: string, detail: string) {
    super(`${pointer}: ${detail}`);
    this.issues = [{ pointer, detail }];
  }
}

export class NotFoundError extends DomainError<'not-found'> {
  readonly code = 'not-found';

  constructor(
    readonly kind: string,
    readonly id: string,
  ) {
    super(`there is no ${kind} "${id}" in this context`, { details: details({ kind, id }) });
  }
}

/** The sent document differs from the current one in ways no event can state. */
export class NotExpressibleError extends DomainError<'not-expressible'> {
  readonly code = 'not-expressible';

  constructor(readonly issues: readonly Issue[]) {
    super(describeIssues(issues));
  }
}

function details(members: Readonly<Record<string, JsonValue>>) {
  return members;
}
