import { z } from 'zod';

import { type Region } from '../compiled-parts.js';
import { count } from '../names.schema.js';

export const parallelFields = {
  /**
   * `continue`: all branches run to their end, and the run goes on at `next`; at `on_error` if there is one and a step failed.
   * `fail_fast`: the first failure cancels the others. `min_success`: succeeds if so many branches do.
   */
  failure: z
    .union([z.enum(['continue', 'fail_fast']), z.strictObject({ min_success: count })])
    .optional(),
  max_concurrency: count.optional(),
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
