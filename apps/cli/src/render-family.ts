import { z } from 'zod';

import { type Rows } from './render-work.js';

const maybe = z.string().nullish();

/** Members of a context about its children, limited to the fields that are printed. */
export const familyParts = {
  children: z
    .array(
      z.looseObject({ contextId: z.string(), title: maybe, outcome: maybe, activeAgent: maybe }),
    )
    .default([]),
  executionSummary: z
    .looseObject({
      total: z.number(),
      completed: z.number(),
      failed: z.number(),
      blocked: z.number(),
      durationSeconds: z.number(),
    })
    .optional(),
};

type Family = z.output<z.ZodObject<typeof familyParts>>;

export function childRows({ children }: Family): Rows {
  return children.map(({ contextId, outcome, activeAgent, title }) => [
    contextId,
    outcome,
    activeAgent,
    title,
  ]);
}

/** `8 of 9 completed, 1 failed, 0 blocked, in 45 minutes`; undefined if there are no children. */
export function summaryLine({ executionSummary: summary }: Family): string | undefined {
  if (!summary) return undefined;
  const { total, completed, failed, blocked, durationSeconds } = summary;
  const counts = `${completed} of ${total} completed, ${failed} failed, ${blocked} blocked`;
  return `${counts}, in ${spanOf(durationSeconds)}`;
}

const units: readonly (readonly [seconds: number, name: string])[] = [
  [86_400, 'day'],
  [3_600, 'hour'],
  [60, 'minute'],
  [1, 'second'],
];

/** Uses the largest unit with a count of at least two, or else seconds. */
function spanOf(seconds: number): string {
  const [size, name] = units.find(([unit]) => seconds >= 2 * unit) ?? ([1, 'second'] as const);
  const count = Math.round(seconds / size);
  return `${count} ${name}${count === 1 ? '' : 's'}`;
}
