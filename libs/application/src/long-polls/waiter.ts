import { type Principal } from '../access/principal.js';

/**
 * The principal that waits, for how many seconds at most, and the signal of the client. `isStream`: the waiter is an open
 * stream, which does not count as a waiting request; its seconds are infinite.
 */
export type Waiter = Readonly<{
  principal: Principal;
  seconds: number;
  signal?: AbortSignal | undefined;
  isStream?: boolean;
}>;

/** The key of a waiter, and its holder: waiters with the same holder share one limit. */
export function holderOf({ keyId, name }: Principal, isStream?: boolean) {
  const holder = keyId === null ? `of ${name}` : `key ${keyId}`;
  return { keyId, holder: isStream ? `streams ${holder}` : holder };
}
