import { CloseContextController } from './contexts/close-context.controller.js';
import { CheckContextController } from './checking/check-context.controller.js';
import { CompareContextController } from './contexts/compare-context.controller.js';
import { CreateContextController } from './contexts/create-context.controller.js';
import { GetContextController } from './contexts/get-context.controller.js';
import { ListChangesController } from './contexts/list-changes.controller.js';
import { ListContextsController } from './contexts/list-contexts.controller.js';
import { ReopenContextController } from './contexts/reopen-context.controller.js';
import { ReplaceContextController } from './contexts/replace-context.controller.js';
import { CreateCheckpointController } from './timelines/create-checkpoint.controller.js';
import { ForkContextController } from './timelines/fork-context.controller.js';
import { ListCheckpointsController } from './timelines/list-checkpoints.controller.js';
import { RestoreContextController } from './timelines/restore-context.controller.js';
import { AddStepOutputController } from './step-outputs/add-step-output.controller.js';
import { FailStepController } from './step-outputs/fail-step.controller.js';
import { GetStepOutputController } from './step-outputs/get-step-output.controller.js';
import { StartStepController } from './step-outputs/start-step.controller.js';
import { ApproveDecisionController } from './decisions/approve-decision.controller.js';
import { GetKnowledgeController } from './decisions/get-knowledge.controller.js';
import { ListDecisionsController } from './decisions/list-decisions.controller.js';
import { RecordDecisionController } from './decisions/record-decision.controller.js';
import { RejectDecisionController } from './decisions/reject-decision.controller.js';
import { ListArtifactsController } from './artifacts/list-artifacts.controller.js';
import { ReferenceArtifactController } from './artifacts/reference-artifact.controller.js';
import { AcknowledgeHandoverController } from './handovers/acknowledge-handover.controller.js';
import { NoteHandoverController } from './handovers/note-handover.controller.js';
import { ListInboxController } from './inbox/list-inbox.controller.js';
import { ProvideInputController } from './input-requests/provide-input.controller.js';
import { RequestInputController } from './input-requests/request-input.controller.js';
import { ClearBlockerController } from './plan/clear-blocker.controller.js';
import { DeclareDependencyController } from './plan/declare-dependency.controller.js';
import { RaiseBlockerController } from './plan/raise-blocker.controller.js';
import { RaiseRiskController } from './plan/raise-risk.controller.js';
import { RecordRequirementController } from './plan/record-requirement.controller.js';
import { UpdateRiskController } from './plan/update-risk.controller.js';
import { AppendRecordController } from './records/append-record.controller.js';
import { RecordReviewController } from './reviews/record-review.controller.js';
import { BlockTaskController } from './tasks/block-task.controller.js';
import { CompleteTaskController } from './tasks/complete-task.controller.js';
import { ResetCircuitBreakerController } from './iterations/reset-circuit-breaker.controller.js';
import { StartIterationController } from './iterations/start-iteration.controller.js';
import { CompletePhaseController } from './phases/complete-phase.controller.js';
import { StartPhaseController } from './phases/start-phase.controller.js';
import { PlanTaskController } from './tasks/plan-task.controller.js';
import { StartTaskController } from './tasks/start-task.controller.js';
import { EmitSignalsController } from './signals/emit-signals.controller.js';
import { PatchPreferencesController } from './preferences/patch-preferences.controller.js';
import { PatchGlobalContextController } from './global-context/patch-global-context.controller.js';
import { AppendEventsController } from './events/append-events.controller.js';
import { GetTraceController } from './events/get-trace.controller.js';
import { ListEventsController } from './events/list-events.controller.js';
import { ReadFeedController } from './events/read-feed.controller.js';
import { StreamContextController } from './events/stream-context.controller.js';
import { StreamWorkspaceController } from './events/stream-workspace.controller.js';
import { ExportContextController } from './moving/export-context.controller.js';
import { ImportController } from './moving/import.controller.js';
import { VerifyContextController } from './moving/verify-context.controller.js';
import { CreateKeyController } from './keys/create-key.controller.js';
import { ListKeysController } from './keys/list-keys.controller.js';
import { RevokeKeyController } from './keys/revoke-key.controller.js';
import { RenderPromptController } from './prompts/render-prompt.controller.js';
import { CheckAgentController } from './agents/check-agent.controller.js';
import { GetAgentController } from './agents/get-agent.controller.js';
import { ListAgentsController } from './agents/list-agents.controller.js';
import { PutAgentController } from './agents/put-agent.controller.js';
import { RegisterAgentController } from './agents/register-agent.controller.js';
import { GetMeController } from './me/get-me.controller.js';
import { GetPolicyController } from './policies/get-policy.controller.js';
import { SetPolicyController } from './policies/set-policy.controller.js';
import { GetSettingsController } from './settings/get-settings.controller.js';
import { PatchSettingsController } from './settings/patch-settings.controller.js';
import { GetReceiptController } from './receipts/get-receipt.controller.js';
import { GetTransformationController } from './transformations/get-transformation.controller.js';
import { ListTransformationsController } from './transformations/list-transformations.controller.js';
import { DeriveNowController } from './transformations/derive-now.controller.js';
import { PutTransformationController } from './transformations/put-transformation.controller.js';
import { runControllers } from './runs/run.controllers.js';
import { GetWorkflowSchemaController } from './workflows/get-workflow-schema.controller.js';
import { GetWorkflowVersionController } from './workflows/get-workflow-version.controller.js';
import { GetWorkflowController } from './workflows/get-workflow.controller.js';
import { ListWorkflowsController } from './workflows/list-workflows.controller.js';
import { PublishWorkflowController } from './workflows/publish-workflow.controller.js';
import { ValidateWorkflowController } from './workflows/validate-workflow.controller.js';
import { ListProjectionsController } from './projections/list-projections.controller.js';
import { RebuildProjectionController } from './projections/rebuild-projection.controller.js';
import { CancelJobController } from './jobs/cancel-job.controller.js';
import { ConfirmJobController } from './jobs/confirm-job.controller.js';
import { GetJobController } from './jobs/get-job.controller.js';
import { ListJobsController } from './jobs/list-jobs.controller.js';
import { ListDeadLettersController } from './dead-letters/list-dead-letters.controller.js';
import { RetryDeadLetterController } from './dead-letters/retry-dead-letter.controller.js';
import { GetLiveController } from './operations/get-live.controller.js';
import { GetMetricsController } from './operations/get-metrics.controller.js';
import { GetReadyController } from './operations/get-ready.controller.js';
import { GetDocsController } from './documentation/get-docs.controller.js';
import { GetOpenApiController } from './documentation/get-openapi.controller.js';
import { GetProblemPageController } from './documentation/get-problem-page.controller.js';
import { GetViewController } from './views/get-view.controller.js';
import { GetViewItemController } from './views/get-view-item.controller.js';

/** Every endpoint of the API, in the order the documentation shows them. */
export const controllers = [
  CloseContextController,
  CreateContextController,
  GetContextController,
  ListContextsController,
  CompareContextController,
  CheckContextController,
  ListChangesController,
  ReopenContextController,
  ReplaceContextController,
  VerifyContextController,
  ExportContextController,
  ImportController,
  CreateCheckpointController,
  ListCheckpointsController,
  RestoreContextController,
  ForkContextController,
  AddStepOutputController,
  FailStepController,
  GetStepOutputController,
  StartStepController,
  ApproveDecisionController,
  ListDecisionsController,
  GetKnowledgeController,
  RecordDecisionController,
  RejectDecisionController,
  ListArtifactsController,
  ReferenceArtifactController,
  NoteHandoverController,
  AcknowledgeHandoverController,
  RequestInputController,
  ProvideInputController,
  ListInboxController,
  RecordReviewController,
  AppendRecordController,
  EmitSignalsController,
  PlanTaskController,
  StartTaskController,
  BlockTaskController,
  CompleteTaskController,
  StartPhaseController,
  CompletePhaseController,
  StartIterationController,
  ResetCircuitBreakerController,
  RecordRequirementController,
  RaiseRiskController,
  UpdateRiskController,
  DeclareDependencyController,
  RaiseBlockerController,
  ClearBlockerController,
  PatchPreferencesController,
  PatchGlobalContextController,
  AppendEventsController,
  ListEventsController,
  GetTraceController,
  ReadFeedController,
  StreamContextController,
  StreamWorkspaceController,
  RegisterAgentController,
  ListAgentsController,
  GetAgentController,
  PutAgentController,
  RenderPromptController,
  CheckAgentController,
  CreateKeyController,
  ListKeysController,
  RevokeKeyController,
  GetMeController,
  GetPolicyController,
  SetPolicyController,
  GetSettingsController,
  PatchSettingsController,
  GetReceiptController,
  ListTransformationsController,
  GetTransformationController,
  DeriveNowController,
  PutTransformationController,
  PublishWorkflowController,
  ValidateWorkflowController,
  ListWorkflowsController,
  GetWorkflowController,
  GetWorkflowVersionController,
  ...runControllers,
  GetWorkflowSchemaController,
  ListProjectionsController,
  RebuildProjectionController,
  ListJobsController,
  GetJobController,
  CancelJobController,
  ConfirmJobController,
  ListDeadLettersController,
  RetryDeadLetterController,
  GetViewController,
  GetViewItemController,
  GetLiveController,
  GetMetricsController,
  GetReadyController,
  GetDocsController,
  GetOpenApiController,
  GetProblemPageController,
];
