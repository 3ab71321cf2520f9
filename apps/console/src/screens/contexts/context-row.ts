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

/** Obstacles of the work in a context, now or soon; empty if there are none. */
export function obstaclesOf(row: ContextRow): readonly string[] {
  if (row.status === 'closed') return [];
  return [blockersIn(row), breakersIn(row), sizeIn(row)].filter((text) => text !== undefined);
}

function blockersIn({ openBlockers }: ContextRow): string | undefined {
  return openBlockers === null || openBlockers === 0
    ? undefined
    : counted(openBlockers, 'open blocker');
}

function breakersIn({ breakersNearLimit }: ContextRow): string | undefined {
  const isNear = breakersNearLimit !== null && breakersNearLimit.length > 0;
  return isNear ? 'circuit breaker near or at its limit' : undefined;
}

function sizeIn({ warning }: ContextRow): string | undefined {
  if (!warning) return undefined;
  return warning.code === 'over-token-threshold' ? 'too large' : 'nearly too large';
}
