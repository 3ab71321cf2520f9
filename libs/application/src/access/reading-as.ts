import { isConfusable } from '#shared-context';

import { mayActFor } from './claimed-agents.js';
import { seesWhole } from './reach.js';
import { type Principal } from './principal.js';

/**
 * The principal as it reads for an agent: `$reader` and `$self` of policies are then that agent, everything else stays as
 * the key has it. A key reads as agents for which it may act, and as any if it sees everything anyway; for other agents it
 * reads as itself, so that naming one never shows more.
 */
export function readingAs(principal: Principal, agentId: string | null | undefined): Principal {
  if (agentId === null || agentId === undefined) return principal;
  // A key that acts for every agent acts for no person.
  const isActedFor = mayActFor(principal, agentId) && !isConfusable(agentId);
  return seesWhole(principal) || isActedFor ? { ...principal, agentId } : principal;
}
