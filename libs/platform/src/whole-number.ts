import { z } from 'zod';

/** A schema for a whole number in an environment variable; its message names the limits. */
export function wholeNumber(minimum: number, maximum: number) {
  const range = `must be a whole number from ${minimum} to ${maximum}`;
  return z.coerce.number(range).int(range).min(minimum, range).max(maximum, range);
}
