import { printable, printableLine } from '../printable.js';
import { formatTable } from '../table.js';
import { waysToDecide } from './render-approval.js';
import { type ActiveStep, type RunView } from './run-view.js';

/** Renders a run with its active steps, its open approvals and its results. */
export function renderRun(contextId: string, run: RunView, output: unknown): string {
  const { definition, status, runId, startedAt, startedBy, endedAt, reason } = run;
  const lines = [
    `${contextId}  ${status}  ${definition.definitionId}@${definition.version}`,
    `run      ${runId}`,
    `started  ${startedAt} by ${startedBy ?? '-'}`,
    ...(endedAt ? [`ended    ${endedAt}`] : []),
    ...(reason ? [`reason   ${reason}`] : []),
  ];
  return [
    lines.map(printableLine).join('\n'),
    activeTable(run.active),
    ...run.active.flatMap(({ approval }) => (approval ? [waysToDecide(approval).join('\n')] : [])),
    resultTable(run.results),
    renderOutput(output),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

/** Empty if there is no output. */
export function renderOutput(output: unknown): string {
  if (output === null || output === undefined) return '';
  return printable(`output: ${JSON.stringify(output)}`);
}

function activeTable(active: readonly ActiveStep[]): string {
  if (active.length === 0) return '';
  const rows = active.map((step) => [
    step.path ?? step.stepId,
    step.attempt,
    step.status,
    waitedFor(step),
    step.startedAt ?? step.scheduledAt,
  ]);
  return formatTable(['ACTIVE', 'ATTEMPT', 'STATE', 'WAITS FOR', 'SINCE'], rows);
}

function waitedFor({ approval, status, worker, agent }: ActiveStep): string | null | undefined {
  if (approval) return `a person: ${approval.message}`;
  return status === 'running' ? (worker ?? agent) : agent;
}

function resultTable(results: RunView['results']): string {
  if (results.length === 0) return '';
  const rows = results.map(({ path, outcome, attempts, duration, error }) => [
    path,
    outcome,
    attempts,
    `${(duration / 1_000).toFixed(1)} s`,
    error,
  ]);
  return formatTable(['STEP', 'OUTCOME', 'ATTEMPTS', 'TIME', 'ERROR'], rows);
}
