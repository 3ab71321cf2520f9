import { z } from 'zod';

import { type Region } from '../compiled-parts.js';
import { count } from '../names.schema.js';

export const parallelFields = {
  failure: z
    .union([
      z
        .enum(['continue', 'fail_fast'])
        .describe(
          'continue: all branches run to their ends, and the run continues at next, or at on_error if it is set and a branch failed. fail_fast: the first failure cancels the other branches.',
        ),
      z.strictObject({ min_success: count.describe('How many branches must succeed.') }),
    ])
    .describe('Default: continue.')
    .optional(),
  max_concurrency: count.describe('How many branches run at once. Default: all.').optional(),
};
const shape = z.object(parallelFields);

/** Excludes `steps`, which may be of any type. */
export type ParallelFields = Readonly<z.output<typeof shape>>;

export type FailurePolicy =
  | Readonly<{ kind: 'continue' | 'fail_fast' }>
  /** Succeeds if `count` branches do. */
  | Readonly<{ kind: 'min_success'; count: number }>;

export type ParallelWork = Readonly<{
  /** Each entry begins a branch. A branch never leaves the region and shares no step with another branch. */
  children: Region;
  failure: FailurePolicy;
  /** How many branches run at once; all if undefined. */
  maxConcurrency: number | undefined;
}>;
