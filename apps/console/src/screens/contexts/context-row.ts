/** A context in a list, as `GET /v1/contexts` returns it. */
export type ContextRow = Readonly<{
  contextId: string;
  title: string | null;
  status: 'open' | 'closed';
  outcome: string | null;
  version: number;
  updatedAt?: string;
  openBlockers?: number;
  breakersNearLimit?: readonly string[];
  tokens?: number;
  warning?: string | null;
}>;

const troubled: ReadonlySet<string> = new Set(['blocked', 'failed']);

/** The reasons why a context needs attention; empty if there are none. */
export function attentionOf(row: ContextRow): readonly string[] {
  const { openBlockers = 0, breakersNearLimit = [], warning } = row;
  return [
    ...troubleOf(row),
    ...(openBlockers > 0 ? [`${openBlockers} open blockers`] : []),
    ...(breakersNearLimit.length > 0 ? ['circuit breaker near its limit'] : []),
    ...(typeof warning === 'string' ? ['oversized'] : []),
  ];
}

function troubleOf({ outcome, status }: ContextRow): readonly string[] {
  return status === 'open' && outcome !== null && troubled.has(outcome) ? [outcome] : [];
}
