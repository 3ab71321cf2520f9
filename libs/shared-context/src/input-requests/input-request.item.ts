import { type ItemKey } from '../item.js';

export function inputRequestKey(inputRequestId: string): ItemKey {
  return { kind: 'input-request', key: inputRequestId };
}

/** The members of a request's body that hold the latest answer. */
export const providedMembers: readonly string[] = ['value', 'note'];
