import { createContext, useContext } from 'react';

/** Who is signed in, as `GET /v1/me` returns it. */
export type Me = Readonly<{
  principal: string;
  role: 'agent' | 'operator' | 'auditor' | 'admin';
  workspace: string;
  root: boolean;
  agentId: string | null;
  audiences: readonly string[];
}>;

export const MeContext = createContext<Me | undefined>(undefined);

export function useMe(): Me {
  const me = useContext(MeContext);
  if (!me) throw new Error('nobody is signed in');
  return me;
}

/** Whether the key is of a person: only these decide approvals. */
export function isPerson({ role }: Me): boolean {
  return role !== 'agent';
}

/** Whether the key sees everything, so that it may read hashes, traces and the feed. */
export function seesEverything({ audiences }: Me): boolean {
  return audiences.includes('all');
}
