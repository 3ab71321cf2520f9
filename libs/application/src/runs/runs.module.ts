import { Module } from '@nestjs/common';

import { AgentsModule } from '../agents/agents.module.js';
import { AudiencesModule } from '../audiences/audiences.module.js';
import { AuthenticationModule } from '../authentication/authentication.module.js';
import { LongPollsModule } from '../long-polls/long-polls.module.js';
import { ReadingModule } from '../reading/reading.module.js';
import { SettingsModule } from '../settings/settings.module.js';
import { ViewsModule } from '../views/views.module.js';
import { WorkflowsModule } from '../workflows/workflows.module.js';
import { WritingModule } from '../writing/writing.module.js';
import {
  AnswerDoubtHandler,
  DecideApprovalHandler,
  ListApprovalsHandler,
} from './approvals.handlers.js';
import { AttemptClaims } from './attempt-claims.js';
import { AttemptFacts } from './attempt-facts.js';
import { AttemptLimits } from './attempt-limits.js';
import { AttemptStarter } from './attempt-starter.js';
import { ClaimParts, ClaimWorkHandler } from './claim-work.handler.js';
import { CompiledWorkflows } from './compiled-workflows.js';
import { ContextSize } from './context-size.js';
import { DeniedAttempts } from './denied-attempts.js';
import { DeniedClaims } from './denied-claims.js';
import { DueRuns } from './due-runs.js';
import { EnvelopeMaker } from './envelope-maker.js';
import { HeartbeatHandler } from './heartbeat.handler.js';
import { ListRunsHandler } from './list-runs.handler.js';
import { LostAttempts } from './lost-attempts.js';
import { OutputCheck } from './output-check.js';
import { PreparedAttempts } from './prepared-attempts.js';
import { ReportParts, ReportWorkHandler } from './report-work.handler.js';
import { RunCancellation } from './run-cancellation.js';
import { RunDefinitions } from './run-definitions.js';
import { RunReader } from './run-reader.js';
import { RunTimers } from './run-timers.js';
import { RunWriter } from './run-writer.js';
import { ControlRunHandler, FindRunHandler, StartRunHandler } from './runs.handlers.js';
import { StoreClock } from './store-clock.js';
import { DefaultRecoveries } from './default-recoveries.js';
import { UnrestrictedWorkers } from './unrestricted-workers.js';
import { WorkArrivals } from './work-arrivals.js';
import { WorkClaimer } from './work-claimer.js';
import { WorkQueue } from './work-queue.js';

@Module({
  imports: [
    AgentsModule,
    AudiencesModule,
    AuthenticationModule,
    LongPollsModule,
    ReadingModule,
    SettingsModule,
    ViewsModule,
    WorkflowsModule,
    WritingModule,
  ],
  providers: [
    CompiledWorkflows,
    StoreClock,
    RunDefinitions,
    RunReader,
    RunWriter,
    AttemptLimits,
    AttemptClaims,
    AttemptFacts,
    WorkQueue,
    UnrestrictedWorkers,
    DeniedAttempts,
    WorkArrivals,
    DeniedClaims,
    PreparedAttempts,
    AttemptStarter,
    WorkClaimer,
    OutputCheck,
    ContextSize,
    EnvelopeMaker,
    DefaultRecoveries,
    ClaimParts,
    ReportParts,
    DueRuns,
    LostAttempts,
    RunCancellation,
    RunTimers,
    ListRunsHandler,
    AnswerDoubtHandler,
    DecideApprovalHandler,
    ListApprovalsHandler,
    StartRunHandler,
    ControlRunHandler,
    FindRunHandler,
    ClaimWorkHandler,
    ReportWorkHandler,
    HeartbeatHandler,
  ],
  exports: [RunCancellation, RunTimers, StoreClock],
})
export class RunsModule {}
