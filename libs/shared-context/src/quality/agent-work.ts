import { type Item } from '../item.js';

/** What an agent has done in a context, and how it went last. */
export type AgentWork = Readonly<{
  isRunning: boolean;
  /** When it first began something of what is known; null where nobody said so. */
  startedAt: string | null;
  /** What it ended last; undefined where others have ended what it began. */
  ended: Readonly<{ how: 'completed' | 'failed'; at: string; version: number }> | undefined;
  /** How often it began a step again that had failed. */
  retries: number;
}>;

export const noWork: AgentWork = {
  ...{ isRunning: false, startedAt: null, ended: undefined, retries: 0 },
};

/** By agent, from the steps and tasks of a context. */
export function workOf(items: readonly Item[]): ReadonlyMap<string, AgentWork> {
  const works = new Map<string, AgentWork>();
  for (const item of items) {
    const part = partOf(item);
    if (!part) continue;
    const { agentId, ...done } = part;
    works.set(agentId, joined(works.get(agentId) ?? noWork, done));
  }
  return works;
}

type Part = Readonly<{ agentId: string }> & AgentWork;

/** What one item says of one agent's work. */
function partOf(item: Item): Part | undefined {
  const { kind, state } = item;
  if (kind === 'step') return begun(item, state['status'] === 'started');
  if (kind === 'step-output') return ended(item, state['agentId'], 'completed');
  if (kind === 'step-failure') return ended(item, state['agentId'], 'failed');
  if (kind !== 'task') return undefined;
  return state['status'] === 'completed'
    ? withStart(ended(item, state['startedBy'], 'completed'), item)
    : begun(item, state['status'] === 'in_progress');
}

function begun({ state }: Item, isRunning: boolean): Part | undefined {
  const { startedBy, startedAt, retries } = state;
  if (typeof startedBy !== 'string') return undefined;
  return {
    ...noWork,
    ...{ agentId: startedBy, isRunning },
    startedAt: typeof startedAt === 'string' ? startedAt : null,
    retries: typeof retries === 'number' ? retries : 0,
  };
}

function ended(item: Item, agentId: unknown, how: 'completed' | 'failed'): Part | undefined {
  if (typeof agentId !== 'string') return undefined;
  const at = String(item.state['completedAt'] ?? item.state['timestamp']);
  return { ...noWork, agentId, ended: { how, at, version: item.fromVersion } };
}

function withStart(part: Part | undefined, { state }: Item): Part | undefined {
  const { startedAt } = state;
  return part && typeof startedAt === 'string' ? { ...part, startedAt } : part;
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
