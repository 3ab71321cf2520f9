/** A visit of a step that has not ended, as `GET /v1/contexts/{id}/run` returns it. */
export type ActiveVisit = Readonly<{
  stepId: string;
  path: string;
  visit: number;
  attempt: number;
  status: string;
  agent: string | null;
  worker: string | null;
  dueAt: string | null;
  deadline: string | null;
  approval: Readonly<{ approvalId: string; message: string }> | null;
}>;

/** The newest ended visit of a step. */
export type EndedVisit = Readonly<{
  stepId: string;
  path: string;
  visit: number;
  attempts: number;
  outcome: string;
  error: string | null;
}>;

/** The newest run of a context. */
export type Run = Readonly<{
  runId: string;
  definition: Readonly<{ definitionId: string; version: number; hash: string }>;
  status: string;
  reason: string | null;
  guard?: string | null;
  startedAt: string;
  startedBy: string | null;
  endedAt: string | null;
  epoch?: string | null;
  metadata: Readonly<{ iterationCount: number; errorCount: number }>;
  active: readonly ActiveVisit[];
  results: readonly EndedVisit[];
}>;

type Wait = Readonly<{
  kind: 'agent' | 'person';
  stepId: string;
  path: string;
  since: string;
  agent?: string | null;
  message?: string;
}>;

/** A run in the list, as `GET /v1/runs` returns it. */
export type ListedRun = Readonly<{
  contextId: string;
  title: string | null;
  runId: string;
  definition: Readonly<{ definitionId: string; version: number }>;
  status: string;
  reason: string | null;
  startedAt: string;
  endedAt: string | null;
  waitsFor: readonly Wait[];
}>;

export const runStatuses = [
  ...(['running', 'paused', 'cancelling'] as const),
  ...(['completed', 'rejected', 'failed', 'cancelled'] as const),
];

/** The requests that have an effect on a run in its status. A run without an epoch was imported and waits to be resumed. */
export function controlsOf({ status, epoch }: Run): readonly ('pause' | 'resume' | 'cancel')[] {
  if (status === 'paused') return ['resume', 'cancel'];
  if (status !== 'running') return [];
  return epoch === null ? ['resume', 'cancel'] : ['pause', 'cancel'];
}
