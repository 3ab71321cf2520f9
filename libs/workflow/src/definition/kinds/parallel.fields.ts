import { z } from 'zod';

import { type Region } from '../compiled-parts.js';
import { count } from '../names.schema.js';

export const parallelFields = {
  failure: z
    .union([
      z
        .enum(['continue', 'fail_fast'])
        .describe(
          'continue: all branches run to their ends, and the run goes on at next, or at on_error if there is one and a branch failed. fail_fast: the first failure cancels the other branches.',
        ),
      z.strictObject({ min_success: count.describe('How many branches have to succeed.') }),
    ])
    .describe('Default: continue.')
    .optional(),
  max_concurrency: count.describe('How many branches run at once. Default: all.').optional(),
};
const shape = z.object(parallelFields);

/** Without its `steps`, which are of any type. */
export type ParallelFields = Readonly<z.output<typeof shape>>;

export type FailurePolicy =
  | Readonly<{ kind: 'continue' | 'fail_fast' }>
  /** Succeeds if `count` branches do. */
  | Readonly<{ kind: 'min_success'; count: number }>;

export type ParallelWork = Readonly<{
  /** Each entry begins a branch; a branch never leaves the region and meets no other one. */
  children: Region;
  failure: FailurePolicy;
  /** How many branches run at once; undefined: all. */
  maxConcurrency: number | undefined;
}>;
