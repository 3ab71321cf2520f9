import { type Throughline } from '@throughline/sdk';

/** Whom a key stands for, as `GET /v1/me` says it. */
export type Principal = Readonly<{
  /** As events show it: an agent, `key:<id>` or `admin`. */
  principal: string;
  agentId: string | null;
  /** The first one is the audience of its reads. */
  audiences: readonly string[];
  /** `*`: for every agent. */
  actsFor: readonly string[];
}>;

export async function readPrincipal(client: Throughline): Promise<Principal> {
  const { body } = await client.request<Principal>('GET', '/v1/me');
  return body;
}

/** The agents by name that the key may act for, its own first. None: the key is a person's, or may act for every agent. */
export function agentsOf({ agentId, actsFor }: Principal): readonly string[] {
  const named = actsFor.filter((agent) => agent !== '*');
  return [...new Set([...(agentId === null ? [] : [agentId]), ...named])];
}

export function actsForAll({ actsFor }: Principal): boolean {
  return actsFor.includes('*');
}

/**
 * The author to state in a write: the one that was chosen, or the only agent that a key without an agent of its own acts for.
 * The server checks it as it checks all authors.
 */
export function authorOf(principal: Principal, chosen?: string): { agentId?: string } {
  const agents = agentsOf(principal);
  const isClear = principal.agentId === null && agents.length === 1 && !actsForAll(principal);
  const author = chosen ?? (isClear ? agents[0] : undefined);
  return author === undefined ? {} : { agentId: author };
}
