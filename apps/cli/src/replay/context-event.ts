import { z } from 'zod';

/** An event as the server shows it, as far as these commands look into it. */
export const contextEvent = z.looseObject({
  eventId: z.string(),
  type: z.string(),
  version: z.number(),
  recordedAt: z.string().nullish(),
  principal: z.string().nullish(),
  origin: z.looseObject({ agentId: z.string().nullish() }).nullish(),
  data: z.unknown(),
});

export type ShownEvent = z.output<typeof contextEvent>;

/** Whose work it is: the agent acted for before the principal. */
export function authorOf({ origin, principal }: ShownEvent): string {
  return origin?.agentId ?? principal ?? '-';
}

const withStep = z.looseObject({ stepId: z.string() });

export function stepOf({ data }: ShownEvent): string | undefined {
  return withStep.safeParse(data).data?.stepId;
}
