import { counted } from '../../ui/counted.js';

/** A context in a list, as `GET /v1/contexts` returns it. Members that a narrower audience may not see are null. */
export type ContextRow = Readonly<{
  contextId: string;
  title: string | null;
  status: 'open' | 'closed';
  outcome: string | null;
  version: number;
  updatedAt: string | null;
  openBlockers: number | null;
  breakersNearLimit: readonly unknown[] | null;
  warning: Readonly<{ code: string }> | null;
}>;

/** What hinders the work in a context, or soon will; empty if nothing does. */
export function obstaclesOf(row: ContextRow): readonly string[] {
  const { openBlockers, breakersNearLimit, warning, status } = row;
  if (status === 'closed') return [];
  const blockers = openBlockers ?? 0;
  return [
    ...(blockers > 0 ? [counted(blockers, 'open blocker')] : []),
    ...((breakersNearLimit?.length ?? 0) > 0 ? ['circuit breaker near its limit'] : []),
    ...(warning
      ? [warning.code === 'over-token-threshold' ? 'too large' : 'nearly too large']
      : []),
  ];
}
