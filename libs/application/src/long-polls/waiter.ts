import { type Principal } from '../access/principal.js';

/**
 * Who waits, how long at most, and the signal of the client. `isStream`: an open stream waits, whose place is none of those of
 * waiting requests; its seconds are infinite.
 */
export type Waiter = Readonly<{
  principal: Principal;
  seconds: number;
  signal?: AbortSignal | undefined;
  isStream?: boolean;
}>;

/** The key of who waits, and the name of whoever shares a limit with it. */
export function holderOf({ keyId, name }: Principal, isStream?: boolean) {
  const holder = keyId === null ? `of ${name}` : `key ${keyId}`;
  return { keyId, holder: isStream ? `streams ${holder}` : holder };
}
