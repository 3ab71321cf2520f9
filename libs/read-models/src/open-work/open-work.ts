import {
  type Item,
  type ItemKind,
  breakerStatusOf,
  isActiveRun,
  loopFacts,
  priorities,
  runDueAt,
  runFacts,
  stepFacts,
  defaultPriority,
} from '#shared-context';

/** Kinds of items that can wait for an agent or a person, or block a context. */
export const workKinds = [
  'handover',
  'input-request',
  'decision',
  'loop',
  'blocker',
  'run',
  'run-step',
] as const satisfies readonly ItemKind[];

export type WorkKind = (typeof workKinds)[number];

/**
 * The work in an item. `due`: it waits for its assignee, or for any person if it has none. Obstacles are not due, and
 * neither is work that an agent has completed: that row remains, because a reader who cannot see the completion must
 * still find the work.
 */
type Work = Readonly<{
  assignee: string | null;
  due: boolean;
  /** The index in {@link priorities}. */
  priority: number;
  /** RFC 3339, UTC, milliseconds, if the stored text is a time. */
  openedAt: string;
}>;

export function isWorkKind(kind: ItemKind): kind is WorkKind {
  return kinds.has(kind);
}

/** Undefined if the item is not work. */
export function workOf(item: Item): Work | undefined {
  return isWorkKind(item.kind) ? readers[item.kind](item) : undefined;
}

const kinds: ReadonlySet<ItemKind> = new Set(workKinds);

const readers: Readonly<Record<WorkKind, (item: Item) => Work | undefined>> = {
  handover: (item) => assigned(item, 'to', item.state['priority']),
  'input-request': (item) => assigned(item, 'from', defaultPriority),
  decision: (item) =>
    item.state['status'] === 'pending' ? unassigned(item, defaultPriority, true) : undefined,
  loop: (item) => {
    const status = breakerStatusOf(loopFacts(item));
    return status === 'ok' ? undefined : unassigned(item, 'high', status === 'tripped');
  },
  run: (item) => timer(isActiveRun(runFacts(item)) ? runDueAt(runFacts(item)) : null),
  'run-step': workOfStep,
  blocker: (item) =>
    item.state['status'] === 'open' ? unassigned(item, defaultPriority, false) : undefined,
};

/**
 * A scheduled attempt waits for its agent from `dueAt` on, and an approval waits for any person. Running attempts, and
 * steps that the interpreter continues itself, wait only for a time.
 */
function workOfStep(item: Item): Work | undefined {
  const { status, agent, dueAt, deadline, approval } = stepFacts(item);
  if (status === 'running') return timer(deadline);
  const priority = rankOf(defaultPriority);
  if (approval)
    return { assignee: null, due: true, priority, ...since({ timestamp: approval.requestedAt }) };
  if (status !== 'scheduled') return undefined;
  if (agent === null) return timer(dueAt);
  return { assignee: agent, due: true, priority, ...since({ timestamp: dueAt }) };
}

/** Work that waits for a time, not for a person or agent. */
function timer(at: string | null): Work | undefined {
  const priority = rankOf(defaultPriority);
  return at === null
    ? undefined
    : { assignee: null, due: false, priority, ...since({ timestamp: at }) };
}

function assigned({ state }: Item, to: string, priority: unknown): Work {
  const due = state['status'] === 'open';
  return { assignee: String(state[to]), due, ...since(state), priority: rankOf(priority) };
}

function unassigned({ state }: Item, priority: string, due: boolean): Work {
  return { assignee: null, due, ...since(state), priority: rankOf(priority) };
}

function rankOf(priority: unknown): number {
  return priorities.findIndex((one) => one === priority);
}

/** Imported events may hold any text as a time. */
function since({ timestamp }: Item['state']) {
  const text = typeof timestamp === 'string' ? timestamp : '';
  const time = new Date(text);
  return { openedAt: Number.isNaN(time.getTime()) ? text : time.toISOString() };
}
