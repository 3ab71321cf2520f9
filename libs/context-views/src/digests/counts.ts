import { z } from 'zod';

/** How often each name stands for something: data that can be stored, safe for any name. */
export type Counts = readonly (readonly [name: string, count: number])[];

/** Those counted most, in the order they came up; `others` is how many more were counted than are named. */
export type BoundedCounts = Readonly<{ named: Counts; others: number }>;

export const storedCounts: z.ZodType<BoundedCounts> = z.object({
  named: z.array(z.tuple([z.string(), z.number()])),
  others: z.number(),
});

/** Of equals, those that came up first are named. */
export function boundCounts(
  counts: Iterable<readonly [string, number]>,
  most: number,
): BoundedCounts {
  const all = [...sum(counts)];
  if (all.length <= most) return { named: all, others: 0 };
  const kept = new Set(
    all
      .map(([name, count], at) => ({ name, count, at }))
      .sort((left, right) => right.count - left.count || left.at - right.at)
      .slice(0, most)
      .map(({ name }) => name),
  );
  const others = all.reduce((rest, [name, count]) => (kept.has(name) ? rest : rest + count), 0);
  return { named: all.filter(([name]) => kept.has(name)), others };
}

export function mergeCounts(parts: readonly BoundedCounts[], most: number): BoundedCounts {
  const merged = boundCounts(
    parts.flatMap(({ named }) => named),
    most,
  );
  const others = parts.reduce((rest, part) => rest + part.others, merged.others);
  return { ...merged, others };
}

function sum(counts: Iterable<readonly [string, number]>): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const [name, count] of counts) sums.set(name, (sums.get(name) ?? 0) + count);
  return sums;
}
