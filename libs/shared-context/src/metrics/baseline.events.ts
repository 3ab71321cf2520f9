import { z } from 'zod';

import { defineServerEvent } from '../context-event.js';
import { defineItemKind } from '../item-kind.js';
import { anyJson, namedValues } from '../payload.schema.js';

const count = z.int().min(0).optional();
const hours = z.number().min(0).max(1_000_000_000);

/**
 * Figures of another system whose work continues here, by the names of the metrics to which they are added, and its
 * history.
 */
export const baselineImported = defineServerEvent(
  'BaselineImported',
  z.strictObject({
    counters: z.strictObject({
      totalTasks: count,
      completedTasks: count,
      phasesCompleted: count,
      totalIterations: count,
      reviewIterations: count,
      /** The approved ones among `reviewIterations`. */
      approvedReviews: count,
      /** In hours, like `timePerPhase`. */
      totalTimeHours: hours.optional(),
      timePerPhase: namedValues
        .refine(
          (phases) => Object.values(phases).every((spent) => hours.safeParse(spent).success),
          {
            error: 'must hold hours by phase',
          },
        )
        .optional(),
    }),
    history: anyJson.optional(),
  }),
  { line: ({ counters }) => `taken over: ${Object.keys(counters).join(', ')}` },
);

export const baselineEvents = [baselineImported] as const;

export const baselineItemKinds = [defineItemKind('baseline', { rulesReadBody: true })] as const;
