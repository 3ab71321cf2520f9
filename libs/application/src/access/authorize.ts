import { type ContextCommand, type ItemLookup } from '#shared-context';

import { ForbiddenError } from '../errors.js';
import { audiencesAddressed } from './addressees.js';
import {
  type AuthorClaims,
  mayActFor,
  refuseFalseAuthors,
  refuseFalseClaims,
} from './claimed-agents.js';
import { type Principal } from './principal.js';
import { reachesWorkflow, requireFullVisibility } from './reach.js';

const approvalNeedsPerson = 'approving and rejecting decisions needs a person, not an agent key';
/** Commands that only people may send, with the reason given to others. */
const peopleOnly: ReadonlyMap<ContextCommand['type'], string> = new Map([
  ['ApproveDecision', approvalNeedsPerson],
  ['RejectDecision', approvalNeedsPerson],
  ['ResetCircuitBreaker', 'resetting a circuit breaker needs a person, not an agent key'],
]);
/** Commands whose rules depend on a setting of the workspace. */
const dependentOnSettings: ReadonlySet<ContextCommand['type']> = new Set([
  'RecordDecision',
  'StartIteration',
  'TripCircuitBreaker',
]);
const closingTypes: ReadonlySet<ContextCommand['type']> = new Set([
  'CloseContext',
  'ReopenContext',
]);

/** Whether `settings` matter for {@link authorizeCommands}, so that they are loaded only then. */
export function needsSettings(commands: readonly ContextCommand[]): boolean {
  return commands.some(({ type }) => dependentOnSettings.has(type) || closingTypes.has(type));
}

/** The settings of a workspace that decide who may write what. */
type WritingRules = Readonly<{ agentsMayClose: boolean }>;

/** `claims`: the authors that an imported document names; people may import events of any author. */
type AuthorizeCommandsOptions = Readonly<{
  settings?: WritingRules | undefined;
  claims?: AuthorClaims | undefined;
}>;

/**
 * Refuses writes of auditors, writes in the name of an agent for which the principal may not act, and approvals by agents.
 * Refuses to let agents close contexts if the settings forbid it.
 */
export function authorizeCommands(
  principal: Principal,
  commands: readonly ContextCommand[],
  { settings, claims }: AuthorizeCommandsOptions = {},
): void {
  if (principal.role === 'auditor')
    throw new ForbiddenError('an auditor reads everything and writes nothing');
  requireFullVisibilityToRestore(principal, commands);
  if (principal.role !== 'agent') {
    if (!claims) refuseFalseClaims(principal, commands);
    return;
  }
  refuseFalseClaims(principal, commands);
  refuseFalseAuthors(principal, claims ?? []);
  refuseDecisionsOfPeople(commands, settings);
}

function refuseDecisionsOfPeople(
  commands: readonly ContextCommand[],
  settings: WritingRules | undefined,
): void {
  for (const { type } of commands) {
    const refusal = peopleOnly.get(type);
    if (refusal !== undefined) throw new ForbiddenError(refusal);
    if (closingTypes.has(type) && settings?.agentsMayClose === false)
      throw new ForbiddenError('this workspace does not let agents close or reopen contexts');
  }
}

/**
 * Authorizes a command that depends on a stored item: a handover is acknowledged by its addressee or by a person. If the item
 * does not exist, the command's own rule refuses it.
 */
export function authorizeOn(
  principal: Principal,
  command: ContextCommand,
  current: ItemLookup,
): void {
  if (principal.role !== 'agent' || command.type !== 'AcknowledgeHandover') return;
  const to = current('handover', command.data.handoverId)?.state['to'];
  if (typeof to !== 'string' || mayActFor(principal, to)) return;
  if (audiencesAddressed(principal).includes(to)) return;
  throw new ForbiddenError(
    `this handover is to "${to}": it is acknowledged with a key that may act for that agent or is bound to an audience of that name, or by a person`,
  );
}

/** A restore may bring back values that are hidden from some audiences by now, so it needs a key that sees everything. */
function requireFullVisibilityToRestore(
  principal: Principal,
  commands: readonly ContextCommand[],
): void {
  if (commands.some(({ type }) => type === 'RestoreContext')) requireFullVisibility(principal);
}

/** Administrators, even of only some contexts, create and revoke keys within their own limits. */
export function requireAdmin(principal: Principal): void {
  if (principal.role !== 'admin') throw new ForbiddenError('this needs a key of role admin');
}

/** Settings, policies, agents, transformations and imports concern the whole workspace: its administrators change them. */
export function requireWholeWorkspace(principal: Principal): void {
  requireAdmin(principal);
  requireFullVisibility(principal);
  if (principal.contexts !== null || principal.workflows !== null)
    throw new ForbiddenError(
      'this concerns the whole workspace: it needs a key that is limited neither to contexts nor to workflows',
    );
}

/**
 * An imported document becomes events of the authors that it names, so an import needs a key that sees everything. Agents may
 * import only events of agents for which they may act.
 */
export function requireImporter(principal: Principal): void {
  requireWriter(principal);
  requireFullVisibility(principal);
}

/**
 * Publishing a workflow changes its runs for everyone, so it needs a key that sees everything. A key that is limited to
 * workflows may publish only these.
 */
export function requirePublisher(principal: Principal, definitionId?: string): void {
  requireWriter(principal);
  requireFullVisibility(principal);
  if (principal.contexts !== null)
    throw new ForbiddenError(
      'definitions of workflows concern the whole workspace: publishing needs a key that is not limited to contexts',
    );
  if (definitionId !== undefined && !reachesWorkflow(principal, definitionId))
    throw new ForbiddenError(
      `this key is limited to other workflows than "${definitionId}": GET /v1/me shows which`,
    );
}

/** `otherwise`: the reason for refusing agent keys. */
export function requirePerson(principal: Principal, otherwise: string): void {
  requireWriter(principal);
  if (principal.role === 'agent') throw new ForbiddenError(otherwise);
}

export function requireWriter({ role }: Principal): void {
  if (role === 'auditor')
    throw new ForbiddenError('an auditor reads everything and writes nothing');
}

/** For requests that concern all workspaces. */
export function requireRoot(principal: Principal): void {
  if (!principal.isRoot)
    throw new ForbiddenError('this needs the root key: it concerns every workspace');
}
