import { type CliCommand } from '../command.js';
import { registerAgent } from './register-agent.command.js';
import { replaceAgent } from './replace-agent.command.js';
import { listAgents } from './list-agents.command.js';
import { showAgent } from './show-agent.command.js';
import { checkAgent } from './check-agent.command.js';
import { setTransformation } from './set-transformation.command.js';
import { listTransformations } from './list-transformations.command.js';
import { showTransformation } from './show-transformation.command.js';
import { deriveTransformation } from './derive-transformation.command.js';
import { setPolicy } from './set-policy.command.js';
import { showPolicy } from './show-policy.command.js';
import { setSettings } from './set-settings.command.js';
import { showSettings } from './show-settings.command.js';

/** Commands for the settings of a workspace, in the order of the help. */
export const workspaceCommands: readonly CliCommand[] = [
  registerAgent,
  replaceAgent,
  listAgents,
  showAgent,
  checkAgent,
  setTransformation,
  listTransformations,
  showTransformation,
  deriveTransformation,
  setPolicy,
  showPolicy,
  setSettings,
  showSettings,
];
