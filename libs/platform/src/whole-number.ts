import { z } from 'zod';

/** A whole number of the environment, within limits that its fault names. */
export function whole(least: number, most: number) {
  const range = `must be a whole number from ${least} to ${most}`;
  return z.coerce.number(range).int(range).min(least, range).max(most, range);
}
