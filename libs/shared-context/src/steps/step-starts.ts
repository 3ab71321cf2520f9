import { z } from 'zod';

import { type JsonObject } from '#event-sourcing';

/** How many agents that began a step before its present agent are listed with their start: the newest ones. */
const maxEarlierStarts = 16;

/** Since when an agent has worked on a step, and how often it began it again after a failure. */
type StepStart = z.output<typeof stepStart>;

const stepStart = z.object({
  agentId: z.string(),
  startedAt: z.string(),
  retries: z.number().default(0),
});

const stepStartList = z.array(stepStart);

/** Starts of all agents that have begun a step, by its state; the last is of whoever began it last. */
export function stepStarts(state: JsonObject): readonly StepStart[] {
  const { startedBy: agentId, startedAt, retries = 0, earlierStarts = [] } = state;
  const latest = stepStart.safeParse({ agentId, startedAt, retries }).data;
  return [...stepStartList.parse(earlierStarts), ...(latest ? [latest] : [])];
}

/** Members of the state of a step that `agentId` begins at a time; `before` is the state until then. */
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
