import { z } from 'zod';

/** The number of occurrences of each name: JSON data that is safe for any name. */
export type Counts = readonly (readonly [name: string, count: number])[];

/** The most frequent names, in order of appearance; `others` is the total count of all other names. */
export type BoundedCounts = Readonly<{ named: Counts; others: number }>;

export const storedCounts: z.ZodType<BoundedCounts> = z.object({
  named: z.array(z.tuple([z.string(), z.number()])),
  others: z.number(),
});

/** If names are equally frequent, the first ones are named. */
export function boundCounts(
  counts: Iterable<readonly [string, number]>,
  limit: number,
): BoundedCounts {
  const all = [...sum(counts)];
  if (all.length <= limit) return { named: all, others: 0 };
  const retained = new Set(
    all
      .map(([name, count], at) => ({ name, count, at }))
      .sort((left, right) => right.count - left.count || left.at - right.at)
      .slice(0, limit)
      .map(({ name }) => name),
  );
  const others = all.reduce((rest, [name, count]) => (retained.has(name) ? rest : rest + count), 0);
  return { named: all.filter(([name]) => retained.has(name)), others };
}

export function mergeCounts(parts: readonly BoundedCounts[], limit: number): BoundedCounts {
  const merged = boundCounts(
    parts.flatMap(({ named }) => named),
    limit,
  );
  const others = parts.reduce((rest, part) => rest + part.others, merged.others);
  return { ...merged, others };
}

function sum(counts: Iterable<readonly [string, number]>): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const [name, count] of counts) sums.set(name, (sums.get(name) ?? 0) + count);
  return sums;
}
