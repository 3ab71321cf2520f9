import { z } from 'zod';

const maybe = z.string().nullish();

const approval = z.looseObject({
  approvalId: z.string(),
  message: z.string(),
  attempt: z.number().nullish(),
});

const active = z.looseObject({
  stepId: z.string(),
  path: maybe,
  attempt: z.number().nullish(),
  status: z.string(),
  agent: maybe,
  worker: maybe,
  scheduledAt: maybe,
  startedAt: maybe,
  dueAt: maybe,
  approval: approval.nullish(),
});

const result = z.looseObject({
  path: z.string(),
  outcome: z.string(),
  attempts: z.number(),
  duration: z.number(),
  error: maybe,
});

/** A run as the server returns it, limited to the fields that are printed. */
export const runView = z.looseObject({
  runId: z.string(),
  definition: z.looseObject({ definitionId: z.string(), version: z.number() }),
  status: z.string(),
  reason: maybe,
  startedAt: z.string(),
  startedBy: maybe,
  endedAt: maybe,
  output: z.unknown(),
  /** The step whose output is that of the run, if it declares none. */
  outputOf: z.looseObject({ stepId: z.string() }).nullish(),
  active: z.array(active),
  results: z.array(result),
});

export type RunView = z.output<typeof runView>;
export type ActiveStep = z.output<typeof active>;
