import { DecideApprovalHandler, ListApprovalsHandler } from './approvals.handlers.js';
import { CompiledWorkflows } from './compiled-workflows.js';
import { DueRuns } from './due-runs.js';
import { RunClock } from './run-clock.js';
import { RunDefinitions } from './run-definitions.js';
import { RunTimers } from './run-timers.js';
import { RunWriter } from './run-writer.js';
import { ControlRunHandler, FindRunHandler, StartRunHandler } from './runs.handlers.js';
import { WorkQueue } from './work-queue.js';
import { ClaimWorkHandler, ReportWorkHandler } from './work.handlers.js';
import { workflows } from '../workflows/workflow.providers.js';

/** Definitions of workflows, and what runs of them need. */
export const runs = [
  ...workflows,
  ...[CompiledWorkflows, RunClock, RunDefinitions, RunWriter, WorkQueue],
  ...[DueRuns, RunTimers],
  ...[DecideApprovalHandler, ListApprovalsHandler],
  ...[StartRunHandler, ControlRunHandler, FindRunHandler, ClaimWorkHandler, ReportWorkHandler],
];
