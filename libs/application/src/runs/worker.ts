import { type Author } from '#shared-context';

import { type Principal } from '../access/principal.js';
import { type WriteOrigin } from '../writing/write-context.command.js';

/** Whose work it is that a key reports for an agent: as the events of the report will say. */
export function authorFor({ name, agentId }: Principal, agent: string): Author {
  return agent === agentId ? { principal: name } : { principal: name, agent };
}

/** What the request of a worker says of its agent. */
export function originFor({ agentId }: Principal, agent: string): WriteOrigin {
  return agent === agentId ? {} : { agentId: agent };
}

/** The key that has claimed an attempt: no other one reports of it, also not another one of the same agent. */
export function holderOf({ keyId, name }: Principal): string {
  return keyId ?? name;
}
