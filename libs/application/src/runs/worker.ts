import { type Author } from '#shared-context';

import { type Principal } from '../access/principal.js';
import { type WriteOrigin } from '../writing/write-context.command.js';

/** The author in the events of a report that a key sends for an agent. */
export function authorFor({ name, agentId }: Principal, agent: string): Author {
  return agent === agentId ? { principal: name } : { principal: name, agent };
}

/** The origin of a request that a key sends for an agent. */
export function originFor({ agentId }: Principal, agent: string): WriteOrigin {
  return agent === agentId ? {} : { agentId: agent };
}

/** The holder of a claimed attempt: no other key may report its result, not even another key of the same agent. */
export function holderOf({ keyId, name }: Principal): string {
  return keyId ?? name;
}
