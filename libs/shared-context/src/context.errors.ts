import { DomainError, type JsonValue, describeIssues } from '#event-sourcing';

/**
 * A fault. `pointer`: a JSON pointer (RFC 6901) into the payload or the document. `suggestion`: the known member that
 * was probably meant.
 */
export type Issue = Readonly<{ pointer: string; detail: string; suggestion?: string }>;

/** The payload is valid by its schema, but not in this context. */
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
    super(absentDetail(kind, id), { details: details({ kind, id }) });
  }
}

/** The sent document differs from the current one in places that no event can change. */
export class NotExpressibleError extends DomainError<'not-expressible'> {
  readonly code = 'not-expressible';

  /** `hint`: a likely cause of all issues. */
  constructor(
    readonly issues: readonly Issue[],
    hint?: string,
  ) {
    super([describeIssues(issues), ...(hint === undefined ? [] : [hint])].join('; '));
  }
}

/** The member of the document that lists the items of a kind. */
const listMembers: ReadonlyMap<string, string> = new Map([
  ['task', 'tasks'],
  ['decision', 'decisionHistory'],
  ['handover', 'handoverNotes'],
  ['input request', 'inputRequests'],
  ['circuit breaker', 'circuitBreakers'],
  ['risk', 'risks'],
  ['blocker', 'dependencies.blockers'],
]);

/**
 * The message for an id of an item that does not exist or is hidden: it names the member that lists the visible ones.
 */
export function absentDetail(kind: string, id: string): string {
  const list = listMembers.get(kind);
  const next = list === undefined ? '' : `: the document lists the existing ones as ${list}`;
  return `there is no ${kind} "${id}" in this context${next}`;
}

function details(members: Readonly<Record<string, JsonValue>>) {
  return members;
}
