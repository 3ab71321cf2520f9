import { ForbiddenError } from '../errors.js';
import { type Principal } from './principal.js';

type KeyLimits = Pick<Principal, 'contexts' | 'workflows' | 'audiences' | 'expiresAt'>;

type ReachedContext = Readonly<{
  contextId: string;
  workflowId: string | null;
  parent: string | null;
}>;

/** Whether the limits of a key permit a context. Other contexts do not exist for the key. */
export function reaches({ contexts, workflows }: Principal, context: ReachedContext): boolean {
  const byId =
    contexts === null ||
    contexts.includes(context.contextId) ||
    (context.parent !== null && contexts.includes(context.parent));
  return (
    byId &&
    (workflows === null || (context.workflowId !== null && workflows.includes(context.workflowId)))
  );
}

/** Whether a key reaches a context by its id alone, so that its workflow and its parent need not be read. */
export function reachesById({ contexts, workflows }: Principal, contextId: string): boolean {
  return workflows === null && (contexts === null || contexts.includes(contextId));
}

/** Whether a key may read for the audience `all`. */
export function seesEverything({ audiences }: Principal): boolean {
  return audiences.includes('all');
}

/** Whether the limits of a key leave this workflow within its reach. */
export function reachesWorkflow({ workflows }: Principal, definitionId: string): boolean {
  return workflows === null || workflows.includes(definitionId);
}

/** Requests that change who sees what need a key that sees everything: any other key could widen its own access. */
export function requireFullVisibility(principal: Principal): void {
  if (!seesEverything(principal))
    throw new ForbiddenError('this needs a key that may read for the audience "all"');
}

/** A key may create only contexts that it reaches, whether or not a context of that id exists. */
export function requireCreatable(principal: Principal, context: ReachedContext): void {
  if (reaches(principal, context)) return;
  throw new ForbiddenError(
    'this key is limited, and could not reach the new context: create one that its limits name, by contextId, parent or workflow, or use a key with wider limits (GET /v1/me shows them)',
  );
}

/** A limited key creates only keys that are limited at least as much. */
export function requireWithin(principal: Principal, grant: KeyLimits): void {
  if (!isLimitedAsMuch(principal, grant) || !isBefore(grant.expiresAt, principal.expiresAt))
    throw new ForbiddenError(
      'a key may not reach further than the key that makes it: state contexts, workflows, audiences and expiresAt within its own',
    );
}

/** A limited key revokes only keys that it could have created, whenever these expire. */
export function requireRevocable(principal: Principal, grant: KeyLimits): void {
  if (!isLimitedAsMuch(principal, grant))
    throw new ForbiddenError('this key reaches further than the key that is to revoke it');
}

function isLimitedAsMuch(principal: Principal, grant: KeyLimits): boolean {
  return (
    isWithin(grant.contexts, principal.contexts) &&
    isWithin(grant.workflows, principal.workflows) &&
    (seesEverything(principal) || isWithin(grant.audiences, principal.audiences))
  );
}

function isWithin(requested: readonly string[] | null, limit: readonly string[] | null): boolean {
  return limit === null || (requested !== null && requested.every((one) => limit.includes(one)));
}

function isBefore(requested: string | null, limit: string | null): boolean {
  return limit === null || (requested !== null && Date.parse(requested) <= Date.parse(limit));
}
