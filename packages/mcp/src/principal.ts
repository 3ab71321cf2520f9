import { type Throughline } from '@throughline/sdk';

/** The principal of a key, as `GET /v1/me` returns it. */
export type Principal = Readonly<{
  /** As in events: an agent, `key:<id>` or `admin`. */
  principal: string;
  agentId: string | null;
  /** The first one is the audience of its reads. */
  audiences: readonly string[];
  /** `*` means every agent. */
  actsFor: readonly string[];
}>;

export async function readPrincipal(client: Throughline): Promise<Principal> {
  const { body } = await client.request<Principal>('GET', '/v1/me');
  return body;
}

/** Returns the named agents for which the key may act, its own first. Empty for the key of a person, or if it may act for every agent. */
export function agentsOf({ agentId, actsFor }: Principal): readonly string[] {
  const named = actsFor.filter((agent) => agent !== '*');
  return [...new Set([...(agentId === null ? [] : [agentId]), ...named])];
}

export function actsForAll({ actsFor }: Principal): boolean {
  return actsFor.includes('*');
}

/**
 * Returns the author of a write: the chosen agent, or the only agent for which a key without its own agent may act. The server
 * checks all authors.
 */
export function authorOf(principal: Principal, chosen?: string): { agentId?: string } {
  const agents = agentsOf(principal);
  const isClear = principal.agentId === null && agents.length === 1 && !actsForAll(principal);
  const author = chosen ?? (isClear ? agents[0] : undefined);
  return author === undefined ? {} : { agentId: author };
}
