import { type Item } from '../item.js';

/** Whether a decision is live or pending. Faults of other decisions no longer matter, and cannot be corrected. */
export function isInForce({ state }: Item): boolean {
  return state['status'] === 'live' || state['status'] === 'pending';
}
