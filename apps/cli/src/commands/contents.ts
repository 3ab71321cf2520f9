import { type CliCommand } from '../command.js';
import { startStep } from './start-step.command.js';
import { failStep } from './fail-step.command.js';
import { completeStep } from './complete-step.command.js';
import { showOutput } from './show-output.command.js';
import { approveDecision } from './approve-decision.command.js';
import { rejectDecision } from './reject-decision.command.js';
import { listDecisions } from './list-decisions.command.js';
import { showKnowledge } from './show-knowledge.command.js';
import { addArtifact } from './add-artifact.command.js';
import { listArtifacts } from './list-artifacts.command.js';
import { addRecord } from './add-record.command.js';
import { listRecords } from './list-records.command.js';
import { addReview } from './add-review.command.js';
import { listReviews } from './list-reviews.command.js';
import { listIssues } from './list-issues.command.js';
import { addSignal } from './add-signal.command.js';
import { listSignals } from './list-signals.command.js';
import { setPreferences } from './set-preferences.command.js';
import { setGlobalContext } from './set-global-context.command.js';

/** Commands for the contents of a context, in the order of the help. */
export const contentCommands: readonly CliCommand[] = [
  startStep,
  failStep,
  completeStep,
  showOutput,
  approveDecision,
  rejectDecision,
  listDecisions,
  showKnowledge,
  addArtifact,
  listArtifacts,
  addRecord,
  listRecords,
  addReview,
  listReviews,
  listIssues,
  addSignal,
  listSignals,
  setPreferences,
  setGlobalContext,
];
