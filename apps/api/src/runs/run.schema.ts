import { z } from 'zod';

import { anyJson, identifier } from '#shared-context';

import { type ProblemCode } from '../problems/problem-code.js';

export const reason = z.string().min(1).max(10_000);

/** The body of a request that starts a run. */
export const runToStart = z.strictObject({
  definitionId: identifier,
  version: z.int().min(1).optional(),
  input: anyJson.optional(),
});

const time = z.string().nullable();

export const runStatus = z.enum([
  ...(['running', 'paused', 'cancelling'] as const),
  ...(['completed', 'rejected', 'failed', 'cancelled'] as const),
]);

/** The newest run of a context. */
export const runResponse = z.looseObject({
  runId: z.string(),
  definition: z.object({ definitionId: z.string(), version: z.int(), hash: z.string() }),
  status: runStatus,
  success: z.boolean().nullable(),
  reason: z.string().nullable(),
  startedAt: z.string(),
  endedAt: time,
  metadata: z.looseObject({ iterationCount: z.int(), errorCount: z.int() }),
  active: z.array(z.looseObject({ stepId: z.string(), path: z.string(), status: z.string() })),
  results: z.array(
    z.looseObject({ stepId: z.string(), success: z.boolean(), outcome: z.string() }),
  ),
});

/** The token of an attempt; only its worker knows it. */
export const attemptToken = z.string().min(1).max(4_096);

/** Problems of reports, in addition to the problems of every write. */
export const reportProblems: readonly ProblemCode[] = ['run-state', 'stale-attempt', 'not-found'];

/** The body of an approval or rejection. */
export const comment = z.strictObject({ comment: reason.optional() });

export const approvalProblems: readonly ProblemCode[] = [
  ...(['run-state', 'approval-decided', 'not-found'] as const),
];
