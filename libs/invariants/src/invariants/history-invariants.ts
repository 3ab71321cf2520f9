import { type History } from '../history/history.js';
import { type AppendLine, type ReadLine } from '../history/history.schema.js';
import { operationsOf } from '../history/operations.js';
import { Findings, type InvariantReport, notChecked } from '../invariant-report.js';
import { checkLinearizability } from '../linearizability.js';

/** The time after its deadline before a request counts as hung. */
const graceMs = 1_000;

/** I4. `lastVersions` are the last versions in the log of the streams of the history. */
export function checkHistoryOrder(
  history: History | undefined,
  lastVersions: ReadonlyMap<string, number>,
): InvariantReport {
  if (!history) return notChecked('I4', 'needs a history');
  const findings = new Findings('I4');
  const operations = operationsOf(history);
  findings.checked(operations.length);
  for (const { stream, kind, detail } of checkLinearizability(operations, lastVersions))
    findings.offend(`${stream}: ${kind}: ${detail}`);
  return findings.report();
}

/** I7: effects occur exactly once per event. */
export function checkEffects(history: History | undefined): InvariantReport {
  if (!history || history.effects.length === 0)
    return notChecked('I7', 'needs a history with effect counters');
  const findings = new Findings('I7');
  for (const { effect, events, times } of history.effects) {
    findings.checked(events);
    if (events !== times) findings.offend(`${effect}: ${times} times for ${events} events`);
  }
  return findings.report();
}

/** A session of the database that is idle in an open transaction. */
export type IdleTransaction = Readonly<{ pid: number; application: string; seconds: number }>;

/** I8: checks the requests of the history, and the sessions of the database. */
export function checkNothingOpen(
  history: History | undefined,
  idle: readonly IdleTransaction[],
): InvariantReport {
  const findings = new Findings('I8');
  for (const { pid, application, seconds } of idle)
    findings.offend(`session ${pid} of "${application}" is idle in a transaction for ${seconds} s`);
  const requests = history ? [...history.appends, ...history.reads] : [];
  for (const request of requests) {
    findings.checked();
    const fault = faultOf(request);
    if (fault !== undefined)
      findings.offend(`a request of ${request.client} to ${request.stream} ${fault}`);
  }
  return findings.report(history ? null : 'sessions only: requests need a history');
}

function faultOf({ inv, ret, deadlineMs }: AppendLine | ReadLine): string | undefined {
  if (ret === null) return 'never returned';
  const tookMs = Math.round((ret - inv) / 1_000);
  if (deadlineMs === undefined || tookMs <= deadlineMs + graceMs) return undefined;
  return `took ${tookMs} ms, but its deadline was ${deadlineMs} ms`;
}

/** I10: only the test ended processes. */
export function checkProcesses(history: History | undefined): InvariantReport {
  if (!history) return notChecked('I10', 'needs a history');
  const findings = new Findings('I10');
  for (const { name, pid, endedBy, signal, code } of history.processes) {
    findings.checked();
    if (endedBy === 'itself')
      findings.offend(`${name} (process ${pid}) ended by itself: ${signal ?? `code ${code}`}`);
  }
  return findings.report(history.ended ? null : 'the history is truncated');
}
