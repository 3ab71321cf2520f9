import { z } from 'zod';

import { type Activity, statedOutcomes } from '#shared-context';

const name = z.string().nullable().default(null);
const flag = z.boolean().default(false);
const count = z.number().default(0);

/** Rows of earlier projection versions lack some members and do not count work. */
const storedActivity = z.object({
  activeStep: name,
  activeAgent: name,
  activeTask: name,
  taskAgent: name,
  taskBlocked: flag,
  activePhase: name,
  phaseAgent: name,
  running: count,
  tripped: count,
  lastEnded: z.enum(['completed', 'failed', 'approved']).nullable().default(null),
  closing: z
    .enum([...statedOutcomes, 'unstated'])
    .nullable()
    .default(null),
  counted: flag,
  blocking: count,
  failing: count,
  awaited: count,
  proposed: count,
  undone: count,
  tasks: count,
} satisfies Record<keyof Activity, z.ZodType>);

/** Decodes the activity of a row. */
export function decodeActivity(text: string): Activity {
  return storedActivity.parse(JSON.parse(text));
}
