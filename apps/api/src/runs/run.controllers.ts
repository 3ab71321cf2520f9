import { AnswerDoubtController } from './answer-doubt.controller.js';
import { ApproveStepController } from './approve-step.controller.js';
import { ListApprovalsController } from './list-approvals.controller.js';
import { RejectStepController } from './reject-step.controller.js';
import { CancelRunController } from './cancel-run.controller.js';
import { ClaimWorkController } from './claim-work.controller.js';
import { CompleteWorkController } from './complete-work.controller.js';
import { FailWorkController } from './fail-work.controller.js';
import { GetRunController } from './get-run.controller.js';
import { GetWorkSchemaController } from './get-work-schema.controller.js';
import { HeartbeatController } from './heartbeat.controller.js';
import { ListRunsController } from './list-runs.controller.js';
import { PauseRunController } from './pause-run.controller.js';
import { ResumeRunController } from './resume-run.controller.js';
import { StartRunController } from './start-run.controller.js';

/** Endpoints for runs, for the work of their steps, and for their approvals. */
export const runControllers = [
  AnswerDoubtController,
  ApproveStepController,
  ListApprovalsController,
  RejectStepController,
  CancelRunController,
  ClaimWorkController,
  CompleteWorkController,
  FailWorkController,
  GetRunController,
  GetWorkSchemaController,
  HeartbeatController,
  ListRunsController,
  PauseRunController,
  ResumeRunController,
  StartRunController,
];
