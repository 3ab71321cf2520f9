import { z } from 'zod';

import { type JsonValue } from '#event-sourcing';
import { RuleViolationError } from '#shared-context';

const answer = z.looseObject({ tookEffect: z.boolean() });

/** The result of a verification. `output`: the result of the step if the attempt took effect. */
type Verification = Readonly<{ tookEffect: boolean; output: JsonValue }>;

export function verification(output: JsonValue): Verification {
  const parsed = answer.safeParse(output);
  if (!parsed.success)
    throw new RuleViolationError(
      '/output',
      'must be an object with "tookEffect", whether the attempt before took effect, and if so "output"',
    );
  // The cast is safe: the parsed value is JSON.
  const { tookEffect, output: found = null } = parsed.data as Readonly<{
    tookEffect: boolean;
    output?: JsonValue;
  }>;
  return { tookEffect, output: found };
}
