import { z } from 'zod';

/** An event as the server returns it, limited to the members that commands use. */
export const contextEvent = z.looseObject({
  eventId: z.string(),
  type: z.string(),
  version: z.number(),
  recordedAt: z.string().nullish(),
  principal: z.string().nullish(),
  origin: z.looseObject({ agentId: z.string().nullish() }).nullish(),
  data: z.unknown(),
});

export type ContextEvent = z.output<typeof contextEvent>;

/** Returns the agent on whose behalf the event was written, or else its principal. */
export function authorOf({ origin, principal }: ContextEvent): string {
  return origin?.agentId ?? principal ?? '-';
}

const withStep = z.looseObject({ stepId: z.string() });

export function stepOf({ data }: ContextEvent): string | undefined {
  return withStep.safeParse(data).data?.stepId;
}
