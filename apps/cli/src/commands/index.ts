import { type CliCommand } from '../command.js';
import { audit } from './audit.command.js';
import { backup } from './backup.command.js';
import { cancelJob } from './cancel-job.command.js';
import { confirmJob } from './confirm-job.command.js';
import { listDeadLetters } from './list-dead-letters.command.js';
import { listJobs } from './list-jobs.command.js';
import { listProjections } from './list-projections.command.js';
import { rebuildProjection } from './rebuild-projection.command.js';
import { retryDeadLetter } from './retry-dead-letter.command.js';
import { showJob } from './show-job.command.js';
import { createCheckpoint } from './create-checkpoint.command.js';
import { createContext } from './create-context.command.js';
import { createKey } from './create-key.command.js';
import { addDecision } from './add-decision.command.js';
import { addOutput } from './add-output.command.js';
import { forkContext } from './fork-context.command.js';
import { listCheckpoints } from './list-checkpoints.command.js';
import { listContexts } from './list-contexts.command.js';
import { listEvents } from './list-events.command.js';
import { listKeys } from './list-keys.command.js';
import { migrate } from './migrate.command.js';
import { projector } from './projector.command.js';
import { recoverKey } from './recover-key.command.js';
import { restore } from './restore.command.js';
import { restoreContext } from './restore-context.command.js';
import { revokeKey } from './revoke-key.command.js';
import { exportContexts } from './export-contexts.command.js';
import { importContexts } from './import-contexts.command.js';
import { verifyContexts } from './verify-contexts.command.js';
import { copyStore } from './copy-store.command.js';
import { compareContext } from './compare-context.command.js';
import { listChanges } from './list-changes.command.js';
import { replayContext } from './replay-context.command.js';
import { tailEvents } from './tail-events.command.js';
import { traceEvent } from './trace-event.command.js';
import { closeContext } from './close-context.command.js';
import { check } from './check.command.js';
import { graphWorkflow } from './graph-workflow.command.js';
import { listWorkflows } from './list-workflows.command.js';
import { publishWorkflow } from './publish-workflow.command.js';
import { showWorkflow } from './show-workflow.command.js';
import { validateWorkflow } from './validate-workflow.command.js';
import { showContext } from './show-context.command.js';
import { showPrincipal } from './show-principal.command.js';
import { start } from './start.command.js';
import { work } from './work.command.js';
import { mcp } from './mcp.command.js';
import { init } from './init.command.js';
import { startRun } from './start-run.command.js';
import { listRuns } from './list-runs.command.js';
import { showRun } from './show-run.command.js';
import { cancelRun } from './cancel-run.command.js';
import { pauseRun } from './pause-run.command.js';
import { resumeRun } from './resume-run.command.js';
import { listApprovals } from './list-approvals.command.js';
import { approve } from './approve.command.js';
import { reject } from './reject.command.js';
import { answerApproval } from './answer-approval.command.js';
import { bumpEpoch } from './bump-epoch.command.js';
import { appendEvents } from './append-events.command.js';
import { renderPrompt } from './render-prompt.command.js';
import { replaceContext } from './replace-context.command.js';
import { reopenContext } from './reopen-context.command.js';
import { showReceipt } from './show-receipt.command.js';
import { viewContext } from './view.command.js';
import { contentCommands } from './contents.js';
import { planCommands } from './plans.js';
import { workspaceCommands } from './workspace.js';

/** All commands, in the order of the help. */
export const commands: readonly CliCommand[] = [
  start,
  projector,
  createContext,
  listContexts,
  showContext,
  listEvents,
  appendEvents,
  replaceContext,
  replayContext,
  compareContext,
  listChanges,
  traceEvent,
  tailEvents,
  createCheckpoint,
  listCheckpoints,
  restoreContext,
  forkContext,
  closeContext,
  reopenContext,
  exportContexts,
  importContexts,
  verifyContexts,
  check,
  viewContext,
  renderPrompt,
  showReceipt,
  addOutput,
  addDecision,
  ...contentCommands,
  ...planCommands,
  validateWorkflow,
  graphWorkflow,
  publishWorkflow,
  listWorkflows,
  showWorkflow,
  startRun,
  listRuns,
  showRun,
  pauseRun,
  resumeRun,
  cancelRun,
  listApprovals,
  approve,
  reject,
  answerApproval,
  work,
  ...workspaceCommands,
  mcp,
  init,
  createKey,
  listKeys,
  revokeKey,
  recoverKey,
  showPrincipal,
  listProjections,
  rebuildProjection,
  confirmJob,
  cancelJob,
  showJob,
  listJobs,
  listDeadLetters,
  retryDeadLetter,
  migrate,
  bumpEpoch,
  backup,
  restore,
  copyStore,
  audit,
];
