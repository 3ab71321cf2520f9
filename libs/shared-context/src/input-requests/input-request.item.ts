import { type ItemKey } from '../item.js';

export function inputRequestKey(inputRequestId: string): ItemKey {
  return { kind: 'input-request', key: inputRequestId };
}

/** Beside the members of a request as it was made: what was provided last. */
export const providedMembers: readonly string[] = ['value', 'note'];
