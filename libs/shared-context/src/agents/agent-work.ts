import { type JsonValue } from '#event-sourcing';

import { type Item } from '../item.js';
import { type ItemKind } from '../item-kinds.js';
import { stepStarts } from '../steps/step-starts.js';
import { stepEndings } from '../steps/step.fold.js';

/** What an agent has done in a context, and how it went last. */
export type AgentWork = Readonly<{
  isRunning: boolean;
  /** When it first began something of what is known; null if nobody said so. */
  startedAt: string | null;
  /** What it ended last; undefined if others have ended what it began. */
  ended: Readonly<{ how: 'completed' | 'failed'; at: string; version: number }> | undefined;
  /** How often it began a step again that had failed. */
  retries: number;
}>;

export const noWork: AgentWork = {
  isRunning: false,
  startedAt: null,
  ended: undefined,
  retries: 0,
};

type Part = Readonly<{ agentId: string }> & AgentWork;

/** What items say of the work of the agents in them; those of other kinds say nothing. */
const readers: Readonly<Partial<Record<ItemKind, (item: Item) => readonly Part[]>>> = {
  step: (item) => [
    ...stepStarts(item.state).map(({ agentId, startedAt, retries }) => ({
      ...noWork,
      agentId,
      startedAt,
      retries,
      isRunning: item.state['startedBy'] === agentId && item.state['status'] === 'started',
    })),
    ...stepEndings(item.state).flatMap(({ agentId, timestamp: at, how, version }) =>
      ended(agentId, { how, at, version }),
    ),
  ],
  'step-output': ({ state, fromVersion }) =>
    ended(state['agentId'], { how: 'completed', at: state['timestamp'], version: fromVersion }),
  'step-failure': ({ state, fromVersion }) =>
    ended(state['agentId'], { how: 'failed', at: state['timestamp'], version: fromVersion }),
  task: (item) => {
    const { startedBy, completedAt: at } = item.state;
    return [
      ...begun(startedBy, item, ['in_progress', 'blocked']),
      ...ended(whoCompleted(item), { how: 'completed', at, version: item.fromVersion }),
    ];
  },
  phase: (item) => {
    const { agentId, completedBy, completedAt: at, version } = item.state;
    return [
      ...begun(agentId, item, ['started']),
      // A phase that runs again was completed before.
      ...ended(completedBy, { how: 'completed', at, version: Number(version) }),
    ];
  },
};

/** By agent, from the steps, tasks and phases of a context. */
export function workOf(items: readonly Item[]): ReadonlyMap<string, AgentWork> {
  const works = new Map<string, AgentWork>();
  for (const { agentId, ...done } of items.flatMap((item) => readers[item.kind]?.(item) ?? []))
    works.set(agentId, joined(works.get(agentId) ?? noWork, done));
  return works;
}

/** Whoever has assigned a task may also say that it is done. */
function whoCompleted({ state }: Item): JsonValue | undefined {
  const { startedBy, assignedBy, completedBy = startedBy } = state;
  return completedBy === assignedBy ? startedBy : completedBy;
}

/** `running`: in which status it is still worked on. */
function begun(agentId: unknown, { state }: Item, running: readonly string[]): readonly Part[] {
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

type End = Readonly<{ how: 'completed' | 'failed'; at: unknown; version: number }>;

function ended(agentId: unknown, { how, at, version }: End): readonly Part[] {
  if (typeof agentId !== 'string' || typeof at !== 'string') return [];
  return [{ ...noWork, agentId, ended: { how, at, version } }];
}

function joined(left: AgentWork, right: AgentWork): AgentWork {
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

/** Times may be stated with offsets. */
function earlier(left: string | null, right: string | null): string | null {
  if (left === null || right === null) return left ?? right;
  return Date.parse(right) < Date.parse(left) ? right : left;
}
