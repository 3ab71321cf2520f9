import { z } from 'zod';

import { type JsonObject } from '#event-sourcing';

/** The maximum number of earlier agents of a step whose starts are retained; the newest ones are. */
const maxEarlierStarts = 16;

/** The time since which an agent has worked on a step, and the number of its restarts after a failure. */
type StepStart = z.output<typeof stepStart>;

const stepStart = z.object({
  agentId: z.string(),
  startedAt: z.string(),
  retries: z.number().default(0),
});

const stepStartList = z.array(stepStart);

/** The starts of the agents of a step, from its state; the latest start is the last. */
export function stepStarts(state: JsonObject): readonly StepStart[] {
  const { startedBy: agentId, startedAt, retries = 0, earlierStarts = [] } = state;
  const latest = stepStart.safeParse({ agentId, startedAt, retries }).data;
  return [...stepStartList.parse(earlierStarts), ...(latest ? [latest] : [])];
}

/** The members for the state of a step that `agentId` starts; `before` is the previous state. */
export function startMembers(
  before: JsonObject,
  { agentId, timestamp }: Readonly<{ agentId: string; timestamp: string }>,
): JsonObject {
  const starts = stepStarts(before);
  const own = starts.find((start) => start.agentId === agentId);
  const others = starts.filter((start) => start.agentId !== agentId).slice(-maxEarlierStarts);
  const again = own && before['status'] === 'failed' ? 1 : 0;
  return {
    startedBy: agentId,
    startedAt: own?.startedAt ?? timestamp,
    retries: (own?.retries ?? 0) + again,
    ...(others.length > 0 && { earlierStarts: others }),
  };
}
