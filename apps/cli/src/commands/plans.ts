import { type CliCommand } from '../command.js';
import { startTask } from './start-task.command.js';
import { addTask } from './add-task.command.js';
import { blockTask } from './block-task.command.js';
import { completeTask } from './complete-task.command.js';
import { listTasks } from './list-tasks.command.js';
import { startPhase } from './start-phase.command.js';
import { completePhase } from './complete-phase.command.js';
import { listPhases } from './list-phases.command.js';
import { startIteration } from './start-iteration.command.js';
import { resetBreaker } from './reset-breaker.command.js';
import { listBreakers } from './list-breakers.command.js';
import { addRequirement } from './add-requirement.command.js';
import { listRequirements } from './list-requirements.command.js';
import { addRisk } from './add-risk.command.js';
import { updateRisk } from './update-risk.command.js';
import { listRisks } from './list-risks.command.js';
import { addBlocker } from './add-blocker.command.js';
import { clearBlocker } from './clear-blocker.command.js';
import { listBlockers } from './list-blockers.command.js';
import { addDependency } from './add-dependency.command.js';
import { listDependencies } from './list-dependencies.command.js';
import { addHandover } from './add-handover.command.js';
import { acknowledgeHandover } from './acknowledge-handover.command.js';
import { listHandovers } from './list-handovers.command.js';
import { askInput } from './ask-input.command.js';
import { provideInput } from './provide-input.command.js';
import { listInputs } from './list-inputs.command.js';
import { listInbox } from './list-inbox.command.js';

/** Commands for plans, loops, handovers and input requests, in the order of the help. */
export const planCommands: readonly CliCommand[] = [
  addTask,
  startTask,
  blockTask,
  completeTask,
  listTasks,
  startPhase,
  completePhase,
  listPhases,
  startIteration,
  resetBreaker,
  listBreakers,
  addRequirement,
  listRequirements,
  addRisk,
  updateRisk,
  listRisks,
  addBlocker,
  clearBlocker,
  listBlockers,
  addDependency,
  listDependencies,
  addHandover,
  acknowledgeHandover,
  listHandovers,
  askInput,
  provideInput,
  listInputs,
  listInbox,
];
