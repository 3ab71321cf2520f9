import {
  type ContextCommand,
  agentsNamed,
  claimedAgents,
  isConfusable,
  isSameAgent,
} from '#shared-context';

import { ForbiddenError } from '../errors.js';
import { type Principal } from './principal.js';
import { seesEverything } from './reach.js';

/** The author of each event of an imported document. */
export type AuthorClaims = readonly (Readonly<{ agentId: string | null }> | undefined)[];

/** The agent in whose name a write is made; null if that is the principal's own agent. */
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

/**
 * The principal that reads for an agent: `$reader` and `$self` of policies match that agent, all other rights remain those of
 * the key. A key reads for agents for which it may act, and for any agent if it sees everything. For other agents it reads as
 * itself, so that naming an agent never reveals more.
 */
export function readingAs(principal: Principal, agentId: string | null | undefined): Principal {
  if (agentId === null || agentId === undefined) return principal;
  // A key that may act for every agent may not act for a person.
  const isActedFor = mayActFor(principal, agentId) && !isConfusable(agentId);
  return seesEverything(principal) || isActedFor ? { ...principal, agentId } : principal;
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
