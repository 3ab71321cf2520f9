import { type JsonValue } from '#event-sourcing';

import { type Item } from '../item.js';
import { type ItemKind } from '../item-kinds.js';
import { stepStarts } from '../steps/step-starts.js';
import { stepEndings } from '../steps/step.fold.js';

/** The work of an agent in a context, and its latest result. */
export type AgentWork = Readonly<{
  isRunning: boolean;
  /** The earliest start among the known work; null if no start is recorded. */
  startedAt: string | null;
  /** The work that it ended last; undefined if it ended none, for example because other agents ended what it began. */
  ended: Readonly<{ how: 'completed' | 'failed'; at: string; version: number }> | undefined;
  /** How often it restarted a failed step. */
  retries: number;
}>;

export const noWork: AgentWork = {
  isRunning: false,
  startedAt: null,
  ended: undefined,
  retries: 0,
};

type WorkOfAgent = Readonly<{ agentId: string }> & AgentWork;

/** Functions that extract the work of agents from items; items of other kinds contain none. */
const readers: Readonly<Partial<Record<ItemKind, (item: Item) => readonly WorkOfAgent[]>>> = {
  step: (item) => [
    ...stepStarts(item.state).map(({ agentId, startedAt, retries }) => ({
      ...noWork,
      agentId,
      startedAt,
      retries,
      isRunning: item.state['startedBy'] === agentId && item.state['status'] === 'started',
    })),
    ...stepEndings(item.state).flatMap(({ agentId, timestamp: at, how, version }) =>
      endedWork(agentId, { how, at, version }),
    ),
  ],
  'step-output': ({ state, fromVersion }) =>
    endedWork(state['agentId'], { how: 'completed', at: state['timestamp'], version: fromVersion }),
  'step-failure': ({ state, fromVersion }) =>
    endedWork(state['agentId'], { how: 'failed', at: state['timestamp'], version: fromVersion }),
  task: (item) => {
    const { startedBy, completedAt: at } = item.state;
    return [
      ...startedWork(startedBy, item, ['in_progress', 'blocked']),
      ...endedWork(completingAgent(item), { how: 'completed', at, version: item.fromVersion }),
    ];
  },
  phase: (item) => {
    const { agentId, completedBy, completedAt: at, version } = item.state;
    return [
      ...startedWork(agentId, item, ['started']),
      // A phase that runs again still has its earlier completion.
      ...endedWork(completedBy, { how: 'completed', at, version: Number(version) }),
    ];
  },
};

/** The work of each agent, from the steps, tasks and phases of a context. */
export function workOf(items: readonly Item[]): ReadonlyMap<string, AgentWork> {
  const works = new Map<string, AgentWork>();
  for (const { agentId, ...done } of items.flatMap((item) => readers[item.kind]?.(item) ?? []))
    works.set(agentId, mergeWork(works.get(agentId) ?? noWork, done));
  return works;
}

/**
 * If the agent that assigned a task reports its completion, the agent that started it counts as the one that did it.
 */
function completingAgent({ state }: Item): JsonValue | undefined {
  const { startedBy, assignedBy, completedBy = startedBy } = state;
  return completedBy === assignedBy ? startedBy : completedBy;
}

/** `running`: the statuses of work in progress. */
function startedWork(
  agentId: unknown,
  { state }: Item,
  running: readonly string[],
): readonly WorkOfAgent[] {
  if (typeof agentId !== 'string') return [];
  const { startedAt } = state;
  return [
    {
      ...noWork,
      agentId,
      isRunning: running.includes(String(state['status'])),
      startedAt: typeof startedAt === 'string' ? startedAt : null,
    },
  ];
}

type WorkEnd = Readonly<{ how: 'completed' | 'failed'; at: unknown; version: number }>;

function endedWork(agentId: unknown, { how, at, version }: WorkEnd): readonly WorkOfAgent[] {
  if (typeof agentId !== 'string' || typeof at !== 'string') return [];
  return [{ ...noWork, agentId, ended: { how, at, version } }];
}

function mergeWork(left: AgentWork, right: AgentWork): AgentWork {
  return {
    isRunning: left.isRunning || right.isRunning,
    startedAt: earlier(left.startedAt, right.startedAt),
    ended:
      (right.ended?.version ?? -Infinity) > (left.ended?.version ?? -Infinity)
        ? right.ended
        : left.ended,
    retries: left.retries + right.retries,
  };
}

/** Compares instants and not texts, as times may have offsets. */
function earlier(left: string | null, right: string | null): string | null {
  if (left === null || right === null) return left ?? right;
  return Date.parse(right) < Date.parse(left) ? right : left;
}
