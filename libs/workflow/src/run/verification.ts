import { z } from 'zod';

import { type JsonValue } from '#event-sourcing';
import { RuleViolationError } from '#shared-context';

const answer = z.looseObject({ tookEffect: z.boolean() });

/** What an agent has found out about an attempt in doubt. `output`: the result of the step if the attempt took effect. */
type Verification = Readonly<{ tookEffect: boolean; output: JsonValue }>;

export function verification(output: JsonValue): Verification {
  const parsed = answer.safeParse(output);
  if (!parsed.success)
    throw new RuleViolationError(
      '/output',
      'must be an object with "tookEffect", which says whether the attempt before took effect, and then "output"',
    );
  // What was parsed is the JSON that was sent.
  const { tookEffect, output: found = null } = parsed.data as Readonly<{
    tookEffect: boolean;
    output?: JsonValue;
  }>;
  return { tookEffect, output: found };
}
