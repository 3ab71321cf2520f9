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

const approving = 'approving and rejecting decisions needs a person, not an agent key';
/** Commands that only people may send, with the reason given to others. */
const decidedByPeople: ReadonlyMap<ContextCommand['type'], string> = new Map([
  ['ApproveDecision', approving],
  ['RejectDecision', approving],
  ['ResetCircuitBreaker', 'resetting a circuit breaker needs a person, not an agent key'],
]);
/** Commands whose rules depend on a setting of the workspace. */
const underSettings: ReadonlySet<ContextCommand['type']> = new Set([
  'RecordDecision',
  'StartIteration',
  'TripCircuitBreaker',
]);
const closing: ReadonlySet<ContextCommand['type']> = new Set(['CloseContext', 'ReopenContext']);

/** Whether `settings` matter for {@link authorizeCommands}, so that they are loaded only then. */
export function needsSettings(commands: readonly ContextCommand[]): boolean {
  return commands.some(({ type }) => underSettings.has(type) || closing.has(type));
}

/** What the settings of a workspace say of who may write what. */
type WritingRules = Readonly<{ agentsMayClose: boolean }>;

/** `claims`: of an imported document; people may import what anybody is said to have done. */
type CommandSite = Readonly<{
  settings?: WritingRules | undefined;
  claims?: AuthorClaims | undefined;
}>;

/**
 * Auditors may not write, no principal may attribute its writes to an agent that it may not act for, approvals need a person,
 * and agents may close contexts unless the settings forbid it.
 */
export function authorizeCommands(
  principal: Principal,
  commands: readonly ContextCommand[],
  { settings, claims }: CommandSite = {},
): void {
  if (principal.role === 'auditor')
    throw new ForbiddenError('an auditor reads everything and writes nothing');
  refuseGoingBack(principal, commands);
  if (principal.role !== 'agent') {
    if (!claims) refuseFalseClaims(principal, commands);
    return;
  }
  refuseFalseClaims(principal, commands);
  refuseFalseAuthors(principal, claims ?? []);
  refuseWhatPeopleDecide(commands, settings);
}

function refuseWhatPeopleDecide(
  commands: readonly ContextCommand[],
  settings: WritingRules | undefined,
): void {
  for (const { type } of commands) {
    const refusal = decidedByPeople.get(type);
    if (refusal !== undefined) throw new ForbiddenError(refusal);
    if (closing.has(type) && settings?.agentsMayClose === false)
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
function refuseGoingBack(principal: Principal, commands: readonly ContextCommand[]): void {
  if (commands.some(({ type }) => type === 'RestoreContext')) requireFullVisibility(principal);
}

/** Administrators, if only of some contexts: they make keys within their own limits, and revoke such keys. */
export function requireAdmin(principal: Principal): void {
  if (principal.role !== 'admin') throw new ForbiddenError('this needs a key of role admin');
}

/** Administrators of the whole workspace: settings, policies, agents, transformations and imports concern all of it. */
export function requireWholeWorkspace(principal: Principal): void {
  requireAdmin(principal);
  requireFullVisibility(principal);
  if (principal.contexts !== null || principal.workflows !== null)
    throw new ForbiddenError(
      'this concerns the whole workspace: it needs a key that is limited neither to contexts nor to workflows',
    );
}

/** Documents become events of whom they name, so an import needs a key that sees everything; agents claim within their limits. */
export function requireImporter(principal: Principal): void {
  requireWriter(principal);
  requireFullVisibility(principal);
}

/**
 * Publishing changes what runs do for everyone: it needs a key that sees everything. A key that is limited to workflows
 * publishes those only.
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

/** `otherwise`: why an agent key may not. */
export function requirePerson(principal: Principal, otherwise: string): void {
  requireWriter(principal);
  if (principal.role === 'agent') throw new ForbiddenError(otherwise);
}

/** Everybody but auditors. */
export function requireWriter({ role }: Principal): void {
  if (role === 'auditor')
    throw new ForbiddenError('an auditor reads everything and writes nothing');
}

/** What concerns the whole server, whatever the workspace. */
export function requireRoot(principal: Principal): void {
  if (!principal.isRoot)
    throw new ForbiddenError('this needs the root key: it concerns every workspace');
}
