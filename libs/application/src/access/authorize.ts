import {
  type ContextCommand,
  type ItemLookup,
  agentsNamed,
  claimedAgents,
  isSameAgent,
} from '#shared-context';

import { ForbiddenError } from '../errors.js';
import { type Settings } from '../settings/settings.messages.js';
import { audiencesAddressed } from './addressees.js';
import { type Principal } from './principal.js';

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

/** `claims`: whose work an imported document says the events are; people may import what anybody is said to have done. */
type CommandSite = Readonly<{
  settings?: Settings | undefined;
  claims?: readonly (Readonly<{ agentId: string | null }> | undefined)[] | undefined;
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
  settings: Settings | undefined,
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

function refuseFalseAuthors(
  principal: Principal,
  claims: NonNullable<CommandSite['claims']>,
): void {
  for (const claim of claims)
    if (typeof claim?.agentId === 'string') requireActsFor(principal, claim.agentId);
}

function refuseFalseClaims(principal: Principal, commands: readonly ContextCommand[]): void {
  for (const command of commands)
    for (const { agentId } of agentsNamed(command, claimedAgents))
      requireActsFor(principal, agentId);
}

/** A restore may bring back values that are hidden from some audiences by now, so it needs a key that sees everything. */
function refuseGoingBack(principal: Principal, commands: readonly ContextCommand[]): void {
  if (commands.some(({ type }) => type === 'RestoreContext')) requireWholeSight(principal);
}

/** The agent that a write is made for, or null if it is the principal's own. */
export function authorizeAgent(principal: Principal, agentId: string | undefined): string | null {
  if (agentId === undefined || agentId === principal.agentId) return null;
  requireActsFor(principal, agentId);
  return agentId;
}

/** Whether a key may write in the name of this agent: it is the agent's own key, or acts for it. */
export function mayActFor({ isRoot, agentId, actsFor }: Principal, named: string): boolean {
  const own = agentId === null ? actsFor : [agentId, ...actsFor];
  return isRoot || actsFor.includes('*') || own.some((one) => isSameAgent(one, named));
}

function requireActsFor(principal: Principal, agentId: string): void {
  if (mayActFor(principal, agentId)) return;
  throw new ForbiddenError(
    `this key may not act for agent "${agentId}": add it to the key's actsFor`,
  );
}

/** Administrators, if only of some contexts: they make keys within their own limits, and revoke such keys. */
export function requireAdmin(principal: Principal): void {
  if (principal.role !== 'admin') throw new ForbiddenError('this needs a key of role admin');
}

/** Administrators of the whole workspace: settings, policies, agents, transformations and imports concern all of it. */
export function requireWholeWorkspace(principal: Principal): void {
  requireAdmin(principal);
  requireWholeSight(principal);
  if (principal.contexts !== null || principal.workflows !== null)
    throw new ForbiddenError(
      'this concerns the whole workspace: it needs a key that is limited neither to contexts nor to workflows',
    );
}

/** Documents become events of whom they name, so an import needs a key that sees everything; agents claim within their limits. */
export function requireImporter(principal: Principal): void {
  requireWriter(principal);
  requireWholeSight(principal);
}

/**
 * Publishing changes what runs do for everyone: it needs a key that sees everything. A key that is limited to workflows
 * publishes those only.
 */
export function requirePublisher(principal: Principal, definitionId?: string): void {
  requireWriter(principal);
  requireWholeSight(principal);
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

/** Whether the limits of a key leave this workflow within its reach. */
export function reachesWorkflow({ workflows }: Principal, definitionId: string): boolean {
  return workflows === null || workflows.includes(definitionId);
}

/** A key that does not see everything may not change who sees what: it could widen its own access. */
export function requireWholeSight(principal: Principal): void {
  if (!seesWhole(principal))
    throw new ForbiddenError('this needs a key that may read for the audience "all"');
}

/** What concerns the whole server, whatever the workspace. */
export function requireRoot(principal: Principal): void {
  if (!principal.isRoot)
    throw new ForbiddenError('this needs the root key: it concerns every workspace');
}

/** A limited key makes only keys that are limited at least as much. */
export function requireWithin(principal: Principal, grant: Reach): void {
  if (!isLimitedAsMuch(principal, grant) || !isBefore(grant.expiresAt, principal.expiresAt))
    throw new ForbiddenError(
      'a key may not reach further than the key that makes it: state contexts, workflows, audiences and expiresAt within its own',
    );
}

/** A limited key revokes only keys that it could have made, but for the time at which they end. */
export function requireRevocable(principal: Principal, grant: Reach): void {
  if (!isLimitedAsMuch(principal, grant))
    throw new ForbiddenError('this key reaches further than the key that is to revoke it');
}

function isLimitedAsMuch(principal: Principal, grant: Reach): boolean {
  return (
    isWithin(grant.contexts, principal.contexts) &&
    isWithin(grant.workflows, principal.workflows) &&
    (seesWhole(principal) || isWithin(grant.audiences, principal.audiences))
  );
}

type Reach = Pick<Principal, 'contexts' | 'workflows' | 'audiences' | 'expiresAt'>;

function isWithin(asked: readonly string[] | null, limit: readonly string[] | null): boolean {
  return limit === null || (asked !== null && asked.every((one) => limit.includes(one)));
}

function isBefore(asked: string | null, limit: string | null): boolean {
  return limit === null || (asked !== null && Date.parse(asked) <= Date.parse(limit));
}

/** Keys limited to contexts or workflows do not learn of the rest. */
export function reaches(
  principal: Principal,
  context: Readonly<{ contextId: string; workflowId: string | null; parent: string | null }>,
): boolean {
  const { contexts, workflows } = principal;
  const byId =
    contexts === null ||
    contexts.includes(context.contextId) ||
    (context.parent !== null && contexts.includes(context.parent));
  return (
    byId &&
    (workflows === null || (context.workflowId !== null && workflows.includes(context.workflowId)))
  );
}

/** Whether the id alone says that a key reaches a context: for others, that depends on its workflow and its parent. */
export function reachesById({ contexts, workflows }: Principal, contextId: string): boolean {
  return workflows === null && (contexts === null || contexts.includes(contextId));
}

/** Whether a key may see contexts whole: the audience `all`. Narrower audiences have no view of their own yet. */
export function seesWhole({ audiences }: Principal): boolean {
  return audiences.includes('all');
}

/** A key creates only what it could then reach, whether there is a context of that id or not. */
export function requireCreatable(
  principal: Principal,
  context: Readonly<{ contextId: string; workflowId: string | null; parent: string | null }>,
): void {
  if (reaches(principal, context)) return;
  throw new ForbiddenError(
    'this key is limited, and could not reach the new context: create one that its limits name, by contextId, parent or workflow, or use a key with wider limits (GET /v1/me shows them)',
  );
}
