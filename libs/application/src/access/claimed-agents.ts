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

/**
 * The principal as it reads for an agent: `$reader` and `$self` of policies are then that agent, everything else stays as
 * the key has it. A key reads as agents for which it may act, and as any if it sees everything anyway; for other agents it
 * reads as itself, so that naming one never shows more.
 */
export function readingAs(principal: Principal, agentId: string | null | undefined): Principal {
  if (agentId === null || agentId === undefined) return principal;
  // A key that acts for every agent acts for no person.
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
