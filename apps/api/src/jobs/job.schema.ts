import { z } from 'zod';

const time = z.string().nullable();

export const jobResponse = z.object({
  jobId: z.uuid(),
  kind: z.literal('rebuild'),
  projection: z.string(),
  state: z.enum(['waiting', 'running', 'switched', 'done', 'cancelled', 'failed']).meta({
    description:
      'switched: the new rows are live and the old ones kept, until confirm (done) or cancel (cancelled)',
  }),
  phase: z.enum(['waiting', 'copying', 'indexing', 'comparing', 'switching', 'finished']),
  rate: z.int().nullable(),
  verify: z.enum(['sample', 'all']),
  requestedBy: z.string(),
  cancelling: z.boolean(),
  schemaVersion: z.string().nullable().meta({ description: 'Newest migration when it began' }),
  epoch: z.int().meta({ description: 'Raised whenever a process takes it up' }),
  total: z.int().nullable().meta({
    description:
      'Events to apply, as counted when it began; with streams in KurrentDB null until it has switched',
  }),
  applied: z.int(),
  eventsPerSecond: z.int().nullable().meta({ description: 'On average since it began' }),
  secondsLeft: z.int().nullable(),
  compared: z.int().meta({ description: 'Contexts compared with the live rows' }),
  different: z.int().meta({ description: 'Those of them whose rows were not the same' }),
  detail: z.string().nullable(),
  createdAt: z.string(),
  startedAt: time,
  switchedAt: time,
  endedAt: time,
});
