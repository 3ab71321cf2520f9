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
    super(absentDetail(kind, id), { details: details({ kind, id }) });
  }
}

/** The sent document differs from the current one in ways no event can state. */
export class NotExpressibleError extends DomainError<'not-expressible'> {
  readonly code = 'not-expressible';

  /** `hint`: what may be the cause of all of them. */
  constructor(
    readonly issues: readonly Issue[],
    hint?: string,
  ) {
    super([describeIssues(issues), ...(hint === undefined ? [] : [hint])].join('; '));
  }
}

/** Which member of the document lists what there is of a kind. */
const listedIn: ReadonlyMap<string, string> = new Map([
  ['task', 'tasks'],
  ['decision', 'decisionHistory'],
  ['handover', 'handoverNotes'],
  ['input request', 'inputRequests'],
  ['circuit breaker', 'circuitBreakers'],
  ['risk', 'risks'],
  ['blocker', 'dependencies.blockers'],
]);

/** What is wrong with the name of what is not there, or not to be seen, and where to find those that are. */
export function absentDetail(kind: string, id: string): string {
  const list = listedIn.get(kind);
  const next = list === undefined ? '' : `: the document lists what there is as ${list}`;
  return `there is no ${kind} "${id}" in this context${next}`;
}

function details(members: Readonly<Record<string, JsonValue>>) {
  return members;
}
