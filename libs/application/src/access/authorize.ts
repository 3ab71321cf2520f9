import { type ContextCommand, ContextNotFoundError } from '#shared-context';

import { ForbiddenError } from '../errors.js';
import { type Settings } from '../settings/settings.messages.js';
import { type Principal } from './principal.js';

const approving = 'approving and rejecting decisions needs a person, not an agent key';
/** What only people may do, and what others are told. */
const decidedByPeople: ReadonlyMap<ContextCommand['type'], string> = new Map([
  ['ApproveDecision', approving],
  ['RejectDecision', approving],
  ['ResetCircuitBreaker', 'resetting a circuit breaker needs a person, not an agent key'],
]);
/** Commands whose rules go by a setting of the workspace. */
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

/** Roles: auditors write nothing, approvals need a person, closing is open to agents unless settings say otherwise. */
export function authorizeCommands(
  principal: Principal,
  commands: readonly ContextCommand[],
  settings: Settings | undefined,
): void {
  if (principal.role === 'auditor')
    throw new ForbiddenError('an auditor reads everything and writes nothing');
  refuseGoingBack(principal, commands);
  if (principal.role !== 'agent') return;
  for (const { type } of commands) {
    const refusal = decidedByPeople.get(type);
    if (refusal !== undefined) throw new ForbiddenError(refusal);
    if (closing.has(type) && settings?.agentsMayClose === false)
      throw new ForbiddenError('this workspace does not let agents close or reopen contexts');
  }
}

/** What holds again may be what not every audience sees any more. */
function refuseGoingBack(principal: Principal, commands: readonly ContextCommand[]): void {
  if (commands.some(({ type }) => type === 'RestoreContext')) requireWholeSight(principal);
}

/** The agent a write is made for, or null where that is the principal itself. */
export function authorizeAgent(principal: Principal, agentId: string | undefined): string | null {
  if (agentId === undefined || agentId === principal.agentId) return null;
  if (principal.isRoot || principal.actsFor.includes('*') || principal.actsFor.includes(agentId))
    return agentId;
  throw new ForbiddenError(
    `this key may not act for agent "${agentId}": add it to the key's actsFor`,
  );
}

/** Administrators of the workspace: keys, settings, policies. */
export function requireAdmin(principal: Principal): void {
  if (principal.role !== 'admin') throw new ForbiddenError('this needs a key of role admin');
}

/** What decides who sees what is not for who does not see everything: it would widen its own sight. */
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
  const within =
    isWithin(grant.contexts, principal.contexts) &&
    isWithin(grant.workflows, principal.workflows) &&
    (seesWhole(principal) || isWithin(grant.audiences, principal.audiences)) &&
    isBefore(grant.expiresAt, principal.expiresAt);
  if (!within)
    throw new ForbiddenError(
      'a key may not reach further than the key that makes it: state contexts, workflows, audiences and expiresAt within its own',
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

/** Whether a key may see contexts whole: the audience `all`. Narrower audiences have no view of their own yet. */
export function seesWhole({ audiences }: Principal): boolean {
  return audiences.includes('all');
}

export function requireReach(
  principal: Principal,
  context: Readonly<{ contextId: string; workflowId: string | null; parent: string | null }>,
): void {
  if (!reaches(principal, context)) throw new ContextNotFoundError();
}
