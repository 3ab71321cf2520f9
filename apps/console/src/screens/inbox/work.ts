/** An open approval, as `GET /v1/approvals` returns it. `attempt`: the attempt in doubt that it is about, if any. */
export type Approval = Readonly<{
  approvalId: string;
  contextId: string;
  title: string | null;
  stepId: string;
  path: string;
  attempt: number | null;
  message: string;
  authors: readonly Readonly<{ principal: string; agent?: string | null }>[];
  requestedAt: string;
  expiresAt: string | null;
  byDefault: string | null;
}>;

type PendingDecision = Readonly<{
  decisionId: string;
  decision: string;
  topic?: string;
  rationale?: string;
  alternativesConsidered?: readonly string[];
  tradeOffs?: string;
  confidence?: number;
  supersedes?: string;
  agentId: string;
  timestamp: string;
  version: number;
}>;

export type Handover = Readonly<{
  handoverId: string;
  from: string | null;
  to: string;
  note: string;
  relatedArtifacts?: readonly string[];
  actionItems?: readonly string[];
  timestamp: string;
}>;

export type InputRequest = Readonly<{
  inputRequestId: string;
  path: string;
  from: string;
  reason?: string;
  agentId: string;
  timestamp: string;
}>;

type CircuitBreaker = Readonly<{
  subject: string;
  iterations: number;
  current: number;
  max: number;
  reason?: string;
  timestamp?: string;
}>;

/** A step of a run: an attempt that waits for its agent, or an approval, which `GET /v1/approvals` describes in more detail. */
type WaitingStep = Readonly<{
  runId: string;
  stepId: string;
  path: string;
  attempt: number;
  dueAt: string | null;
  approval: unknown;
}>;

type Entries = Readonly<{
  decision: PendingDecision;
  handover: Handover;
  'input-request': InputRequest;
  'circuit-breaker': CircuitBreaker;
  run: WaitingStep;
}>;

type WorkContext = Readonly<{ contextId: string; title: string | null }>;

export type WorkOf<Kind extends keyof Entries> = WorkContext &
  Readonly<{ kind: Kind; priority: string | null; entry: Entries[Kind] }>;

/** An item of `GET /v1/agents/{agentId}/inbox`. */
export type InboxItem = { [Kind in keyof Entries]: WorkOf<Kind> }[keyof Entries];

export type ApprovalWork = WorkContext & Readonly<{ kind: 'approval' | 'doubt'; entry: Approval }>;

/** Something that waits for a person or for an agent. */
export type Work = ApprovalWork | InboxItem;

const peopleKinds: ReadonlySet<string> = new Set(['decision', 'circuit-breaker']);

/** The work that any person may do: approvals first, then the other work by priority. */
export function workOfPeople(
  approvals: readonly Approval[],
  items: readonly InboxItem[],
): readonly Work[] {
  return [
    ...approvals.map((entry): ApprovalWork => ({
      kind: entry.attempt === null ? 'approval' : 'doubt',
      contextId: entry.contextId,
      title: entry.title,
      entry,
    })),
    ...items.filter(({ kind }) => peopleKinds.has(kind)),
  ];
}

/** The work of one agent, without the work of people, which the inbox of every agent includes for keys of people. */
export function workOfAgent(items: readonly InboxItem[]): readonly Work[] {
  return items.filter((item) =>
    item.kind === 'run' ? item.entry.approval === null : !peopleKinds.has(item.kind),
  );
}

type Description = Readonly<{ id: string; headline: string; since: string | null | undefined }>;

/** How a piece of work is listed. Its id is unique among the work of its kind in its context. */
export function describeWork(work: Work): Description {
  switch (work.kind) {
    case 'approval':
    case 'doubt': {
      const { approvalId, message, requestedAt } = work.entry;
      return { id: approvalId, headline: message, since: requestedAt };
    }
    case 'decision': {
      const { decisionId, decision, timestamp } = work.entry;
      return { id: decisionId, headline: decision, since: timestamp };
    }
    case 'handover':
      return { id: work.entry.handoverId, headline: work.entry.note, since: work.entry.timestamp };
    case 'input-request': {
      const { inputRequestId, timestamp } = work.entry;
      return { id: inputRequestId, headline: questionOf(work.entry), since: timestamp };
    }
    case 'circuit-breaker': {
      const { subject, timestamp } = work.entry;
      return { id: subject, headline: subject, since: timestamp };
    }
    case 'run':
      return { id: work.entry.path, headline: work.entry.stepId, since: work.entry.dueAt };
  }
}

/** The reason of an input request, which states the question; otherwise the path of the value. */
function questionOf({ reason, path }: InputRequest): string {
  return reason ?? path;
}

/** Identifies work in the address of the page. */
export function keyOfWork(work: Work): string {
  return workKey(work.kind, work.contextId, describeWork(work).id);
}

/** The key of work; `id` is unique among the work of its kind in its context. */
export function workKey(kind: Work['kind'], contextId: string, id: string): string {
  return `${kind} ${contextId} ${id}`;
}

/** The context in the key of work; ids of contexts contain no spaces. */
export function contextInKey(key: string): string {
  return key.split(' ')[1] ?? '';
}

export const kindLabels: Readonly<Record<Work['kind'], string>> = {
  approval: 'approval',
  doubt: 'attempt in doubt',
  decision: 'pending decision',
  handover: 'handover',
  'input-request': 'input request',
  'circuit-breaker': 'tripped circuit breaker',
  run: 'waiting step',
};
