import { type ContextCommand, agentsNamed, claimedAgents, isSameAgent } from '#shared-context';

import { ForbiddenError } from '../errors.js';
import { type Principal } from './principal.js';

/** Whose work an imported document says that events are. */
export type AuthorClaims = readonly (Readonly<{ agentId: string | null }> | undefined)[];

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

export function refuseFalseAuthors(principal: Principal, claims: AuthorClaims): void {
  for (const claim of claims)
    if (typeof claim?.agentId === 'string') requireActsFor(principal, claim.agentId);
}

export function refuseFalseClaims(principal: Principal, commands: readonly ContextCommand[]): void {
  for (const command of commands)
    for (const { agentId } of agentsNamed(command, claimedAgents))
      requireActsFor(principal, agentId);
}

function requireActsFor(principal: Principal, agentId: string): void {
  if (mayActFor(principal, agentId)) return;
  throw new ForbiddenError(
    `this key may not act for agent "${agentId}": add it to the key's actsFor`,
  );
}
