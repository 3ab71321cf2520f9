import { CheckAgentController } from './agents/check-agent.controller.js';
import { GetAgentController } from './agents/get-agent.controller.js';
import { ListAgentsController } from './agents/list-agents.controller.js';
import { PutAgentController } from './agents/put-agent.controller.js';
import { RegisterAgentController } from './agents/register-agent.controller.js';
import { artifactControllers } from './artifacts/artifact.controllers.js';
import { CheckContextController } from './checking/check-context.controller.js';
import { CloseContextController } from './contexts/close-context.controller.js';
import { CompareContextController } from './contexts/compare-context.controller.js';
import { CreateContextController } from './contexts/create-context.controller.js';
import { GetContextController } from './contexts/get-context.controller.js';
import { ListChangesController } from './contexts/list-changes.controller.js';
import { ListContextsController } from './contexts/list-contexts.controller.js';
import { ReopenContextController } from './contexts/reopen-context.controller.js';
import { ReplaceContextController } from './contexts/replace-context.controller.js';
import { deadLetterControllers } from './dead-letters/dead-letter.controllers.js';
import { decisionControllers } from './decisions/decision.controllers.js';
import { documentationControllers } from './documentation/documentation.controllers.js';
import { eventControllers } from './events/event.controllers.js';
import { PatchGlobalContextController } from './global-context/patch-global-context.controller.js';
import { handoverControllers } from './handovers/handover.controllers.js';
import { ListInboxController } from './inbox/list-inbox.controller.js';
import { inputRequestControllers } from './input-requests/input-request.controllers.js';
import { iterationControllers } from './iterations/iteration.controllers.js';
import { jobControllers } from './jobs/job.controllers.js';
import { keyControllers } from './keys/key.controllers.js';
import { GetMeController } from './me/get-me.controller.js';
import { movingControllers } from './moving/moving.controllers.js';
import { operationControllers } from './operations/operation.controllers.js';
import { phaseControllers } from './phases/phase.controllers.js';
import { planControllers } from './plan/plan.controllers.js';
import { policyControllers } from './policies/policy.controllers.js';
import { PatchPreferencesController } from './preferences/patch-preferences.controller.js';
import { projectionControllers } from './projections/projection.controllers.js';
import { RenderPromptController } from './prompts/render-prompt.controller.js';
import { GetReceiptController } from './receipts/get-receipt.controller.js';
import { recordControllers } from './records/record.controllers.js';
import { reviewControllers } from './reviews/review.controllers.js';
import { runControllers } from './runs/run.controllers.js';
import { settingsControllers } from './settings/settings.controllers.js';
import { EmitSignalsController } from './signals/emit-signals.controller.js';
import { stepControllers } from './step-outputs/step.controllers.js';
import { taskControllers } from './tasks/task.controllers.js';
import { lineageControllers } from './lineage/lineage.controllers.js';
import { transformationControllers } from './transformations/transformation.controllers.js';
import { viewControllers } from './views/view.controllers.js';
import { GetWorkflowSchemaController } from './workflows/get-workflow-schema.controller.js';
import { GetWorkflowVersionController } from './workflows/get-workflow-version.controller.js';
import { GetWorkflowController } from './workflows/get-workflow.controller.js';
import { ListWorkflowsController } from './workflows/list-workflows.controller.js';
import { PublishWorkflowController } from './workflows/publish-workflow.controller.js';
import { ValidateWorkflowController } from './workflows/validate-workflow.controller.js';

/** Every controller of the API, in the order of the documentation. */
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
  ...movingControllers,
  ...lineageControllers,
  ...stepControllers,
  ...decisionControllers,
  ...artifactControllers,
  ...handoverControllers,
  ...inputRequestControllers,
  ListInboxController,
  ...reviewControllers,
  ...recordControllers,
  EmitSignalsController,
  ...taskControllers,
  ...phaseControllers,
  ...iterationControllers,
  ...planControllers,
  PatchPreferencesController,
  PatchGlobalContextController,
  ...eventControllers,
  RegisterAgentController,
  ListAgentsController,
  GetAgentController,
  PutAgentController,
  RenderPromptController,
  CheckAgentController,
  ...keyControllers,
  GetMeController,
  ...policyControllers,
  ...settingsControllers,
  GetReceiptController,
  ...transformationControllers,
  PublishWorkflowController,
  ValidateWorkflowController,
  ListWorkflowsController,
  GetWorkflowController,
  GetWorkflowVersionController,
  ...runControllers,
  GetWorkflowSchemaController,
  ...projectionControllers,
  ...jobControllers,
  ...deadLetterControllers,
  ...viewControllers,
  ...operationControllers,
  ...documentationControllers,
];
