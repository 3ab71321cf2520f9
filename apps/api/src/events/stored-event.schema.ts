import { z } from 'zod';

/** The documented schema of an event; clients must ignore unknown members. */
export const storedEvent = z.looseObject({
  eventId: z.uuid(),
  type: z.string(),
  schemaVersion: z.int(),
  version: z.int(),
  position: z.string(),
  data: z.unknown(),
  recordedAt: z.iso.datetime(),
  principal: z.string(),
  hash: z.string(),
  previousHash: z.string().nullable(),
});
