import { z } from 'zod';

const owner = z.object({ instance: z.uuid(), host: z.string(), pid: z.int() });

const partition = z.object({
  partition: z.int(),
  position: z.string(),
  events: z.int().meta({ description: 'The number of events applied since the rows were created' }),
  epoch: z.int().meta({ description: 'Incremented with every change of owner' }),
  owner: owner.nullable(),
  appliedAt: z.string().nullable(),
  failure: z.string().nullable(),
});

export const projectionResponse = z.object({
  name: z.string(),
  version: z.int(),
  storeIdentity: z.string().meta({ description: 'The log that its positions refer to' }),
  state: z.enum(['idle', 'catching-up', 'live', 'stuck']),
  reason: z.string(),
  lagEvents: z.int().nullable().meta({
    description:
      'The number of committed events that are not applied; with streams in KurrentDB null if more than 1000',
  }),
  lagSeconds: z.number().meta({ description: 'The age of the oldest event that is not applied' }),
  deadLetters: z.int(),
  rebuiltAt: z.string().nullable(),
  partitions: z.array(partition),
});
