import { AnswerDoubtHandler, DecideApprovalHandler, ListApprovalsHandler } from './approvals.handlers.js';
import { AttemptStarter } from './attempt-starter.js';
import { ClaimWorkHandler } from './claim-work.handler.js';
import { CompiledWorkflows } from './compiled-workflows.js';
import { DueRuns } from './due-runs.js';
import { HeartbeatHandler } from './heartbeat.handler.js';
import { LostAttempts } from './lost-attempts.js';
import { ReportWorkHandler } from './report-work.handler.js';
import { RunTimers } from './run-timers.js';
import { RunWriter } from './run-writer.js';
import { ControlRunHandler, FindRunHandler, StartRunHandler } from './runs.handlers.js';
import { StoreClock } from './store-clock.js';
import { WorkArrivals } from './work-arrivals.js';
import { WorkQueue } from './work-queue.js';
import { workflows } from '../workflows/workflow.providers.js';

/** Definitions of workflows, and what runs of them need. */
export const runs = [
  ...workflows,
  ...[CompiledWorkflows, StoreClock, RunWriter, WorkQueue, WorkArrivals, AttemptStarter],
  ...[DueRuns, LostAttempts, RunTimers],
  ...[AnswerDoubtHandler, DecideApprovalHandler, ListApprovalsHandler],
  ...[StartRunHandler, ControlRunHandler, FindRunHandler, ClaimWorkHandler, ReportWorkHandler, HeartbeatHandler],
];
