import { createContext, useContext } from 'react';

/** Who is signed in, as `GET /v1/me` returns it. */
export type SignedInPrincipal = Readonly<{
  principal: string;
  role: 'agent' | 'operator' | 'auditor' | 'admin';
  workspace: string;
  root: boolean;
  keyId: string | null;
  agentId: string | null;
  audiences: readonly string[];
}>;

export const MeContext = createContext<SignedInPrincipal | undefined>(undefined);

export function useMe(): SignedInPrincipal {
  const me = useContext(MeContext);
  if (!me) throw new Error('no principal is signed in');
  return me;
}

/** Whether the key belongs to a person; only people decide approvals. */
export function isPerson({ role }: SignedInPrincipal): boolean {
  return role !== 'agent';
}

/** Whether the key sees everything, so that it may read hashes, traces and the feed. */
export function seesEverything({ audiences }: SignedInPrincipal): boolean {
  return audiences.includes('all');
}

/** Whether the key may decide approvals, answer doubts and reset circuit breakers. */
export function mayOperate({ role }: SignedInPrincipal): boolean {
  return role === 'operator' || role === 'admin';
}

/** Whether the key may write at all. */
export function mayWrite({ role }: SignedInPrincipal): boolean {
  return role !== 'auditor';
}

/** Whether the key may follow the stream of the workspace; others read lists regularly. */
export function followsWorkspace(me: SignedInPrincipal): boolean {
  return (me.role === 'auditor' || me.role === 'admin') && seesEverything(me);
}

/** Whether the key may list the keys of the workspace. */
export function mayListKeys({ role }: SignedInPrincipal): boolean {
  return role === 'auditor' || role === 'admin';
}

/** Whether the key may create and revoke keys. */
export function mayManageKeys({ role }: SignedInPrincipal): boolean {
  return role === 'admin';
}
