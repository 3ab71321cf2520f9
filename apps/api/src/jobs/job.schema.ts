import { z } from 'zod';

const time = z.string().nullable();

export const jobResponse = z.object({
  jobId: z.uuid(),
  kind: z.literal('rebuild'),
  projection: z.string(),
  state: z.enum(['waiting', 'running', 'switched', 'done', 'cancelled', 'failed']).meta({
    description:
      'switched: the new rows are live, and the old rows are retained until confirm (done) or cancel (cancelled)',
  }),
  phase: z.enum(['waiting', 'copying', 'indexing', 'comparing', 'switching', 'finished']),
  rate: z.int().nullable(),
  verify: z.enum(['sample', 'all']),
  requestedBy: z.string(),
  cancelling: z.boolean(),
  schemaVersion: z
    .string()
    .nullable()
    .meta({ description: 'The newest migration when the job began' }),
  epoch: z.int().meta({ description: 'Incremented whenever a process takes over the job' }),
  total: z.int().nullable().meta({
    description:
      'Events to apply, counted when the job began; with streams in KurrentDB null until the switch',
  }),
  applied: z.int(),
  eventsPerSecond: z.int().nullable().meta({ description: 'Average since the job began' }),
  secondsLeft: z.int().nullable(),
  compared: z
    .int()
    .meta({ description: 'The number of contexts that were compared with the live rows' }),
  different: z.int().meta({ description: 'The number of compared contexts whose rows differ' }),
  detail: z.string().nullable(),
  createdAt: z.string(),
  startedAt: time,
  switchedAt: time,
  endedAt: time,
});
