import { z } from 'zod';

/** An event as it is documented; reading clients carry on with members they do not know. */
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
