import { type Item } from '../item.js';

/** Decisions that hold or wait to: what is wrong in others can no longer be mended, and no longer matters. */
export function isInForce({ state }: Item): boolean {
  return state['status'] === 'live' || state['status'] === 'pending';
}
