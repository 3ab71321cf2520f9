/** A decision, as `GET /v1/contexts/{id}/decisions` returns it. Readers of live decisions only get no `stalePath`. */
export type Decision = Readonly<{
  decisionId: string;
  decision: string;
  topic?: string;
  rationale?: string;
  supersedes?: string;
  supersededBy?: string;
  relatedDecisions?: readonly RelatedDecision[];
  relatedRequirements?: readonly string[];
  agentId: string | null;
  timestamp: string | null;
  version: number;
  status: DecisionStatus;
  stale: boolean;
  /** From the decision that this one depends on to the superseded one; only the ends of a long path. */
  stalePath?: readonly string[];
  stalePathLength?: number;
  decided?: Readonly<{ by?: string; reason?: string }>;
}>;

type DecisionStatus = (typeof decisionStatuses)[number];

export type RelatedDecision = Readonly<{ decisionId: string; relation: string }>;

export const decisionStatuses = [
  'live',
  'pending',
  'superseded',
  'rejected',
  'deprecated',
] as const;

/** The decisions that match all filters. `show` is a status or `stale`. */
export function filterDecisions(
  decisions: readonly Decision[],
  { text, show }: Readonly<{ text: string; show: string }>,
): readonly Decision[] {
  const wanted = text.trim().toLowerCase();
  return decisions.filter(
    (decision) => hasState(decision, show) && textsOf(decision).some((one) => one.includes(wanted)),
  );
}

function hasState({ status, stale }: Decision, show: string): boolean {
  if (show === '') return true;
  return show === 'stale' ? stale : status === show;
}

function textsOf({ decisionId, decision, topic, rationale, agentId }: Decision): string[] {
  return [decisionId, decision, topic, rationale, agentId].map((text) =>
    String(text ?? '').toLowerCase(),
  );
}

/** The ids of a stale path with a gap if it is shortened. */
export function stalePathOf({
  stalePath = [],
  stalePathLength = stalePath.length,
}: Pick<Decision, 'stalePath' | 'stalePathLength'>): readonly (string | Gap)[] {
  const omitted = stalePathLength - stalePath.length;
  if (omitted <= 0) return stalePath;
  const half = Math.ceil(stalePath.length / 2);
  return [...stalePath.slice(0, half), { omitted }, ...stalePath.slice(half)];
}

/**
 * Whether a stale decision depends on the first decision of its path; otherwise its author had only read it. The relation `relates` makes
 * nothing stale.
 */
export function namesStaleBasis({
  stalePath: [first] = [],
  relatedDecisions = [],
}: Pick<Decision, 'stalePath' | 'relatedDecisions'>): boolean {
  return relatedDecisions.some(
    ({ decisionId, relation }) => decisionId === first && relation !== 'relates',
  );
}

/** Decisions of a long path that the server leaves out. */
type Gap = Readonly<{ omitted: number }>;
