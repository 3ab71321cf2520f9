import { type WaitingAttempt } from './waiting-attempt.js';
import { type QueueFilter } from './queue-filter.js';
import { type WorkQueue } from './work-queue.js';

type Group = Readonly<{
  filter: QueueFilter;
  takers: ReadonlyMap<unknown, ReadonlySet<string>>;
}>;

/** `passed`: the places of attempts that were passed to workers; a look adds its own, up to `most` in all. */
export type Passing = Readonly<{ passed: Set<string>; most: number }>;

type Looking<Waiting> = Readonly<{
  /** The groups of workers that wait, in any workspace. */
  groups: () => Iterable<Waiting>;
  look: (group: Waiting, passing: Passing) => Promise<void>;
  failed: (error: unknown) => void;
}>;

/** The most attempts that are read at a time. */
const maxAtOnce = 500;

/** Looks for attempts that may start because others have ended. */
export class CapacityChecks<Waiting extends Group> {
  /** Workspaces in which attempts have ended since their last look began. */
  readonly #withRoom = new Set<string>();
  readonly #looking = new Set<string>();

  constructor(
    private readonly queue: Pick<WorkQueue, 'waiting'>,
    private readonly on: Looking<Waiting>,
  ) {}

  /** To be called when an attempt has ended. A workspace has one look at a time; attempts that end meanwhile share the next one. */
  async note(workspace: string): Promise<void> {
    this.#withRoom.add(workspace);
    if (this.#looking.has(workspace)) return;
    this.#looking.add(workspace);
    while (this.#withRoom.delete(workspace))
      await this.#lookIn(workspace).catch((error: unknown) => this.on.failed(error));
    this.#looking.delete(workspace);
  }

  async #lookIn(workspace: string): Promise<void> {
    const alike = new Map<string, Waiting[]>();
    for (const group of this.on.groups()) {
      const { workspace: other, contexts, workflows } = group.filter;
      if (other !== workspace || group.takers.size === 0) continue;
      const limitedBy = JSON.stringify([contexts !== null, workflows !== null]);
      alike.set(limitedBy, [...(alike.get(limitedBy) ?? []), group]);
    }
    const passed = new Set<string>();
    for (const groups of alike.values()) await this.#lookTogether(groups, passed);
  }

  /** One statement finds how many attempts may start, and of which agents. Only groups that wait for these agents are served, until as many attempts are passed on. */
  async #lookTogether(groups: readonly Waiting[], passed: Set<string>): Promise<void> {
    const takers = groups.reduce((sum, group) => sum + group.takers.size, 0);
    const limit = Math.min(maxAtOnce, takers + passed.size);
    const waiting = await this.queue.waiting(unionOf(groups), limit);
    const left = waiting.filter((attempt) => !passed.has(placeOf(attempt)));
    const agents = new Set(left.map(({ agent }) => agent));
    const most = passed.size + left.length;
    for (const group of groups) {
      if (passed.size >= most) return;
      if (agentsOf(group).some((agent) => agents.has(agent)))
        await this.on.look(group, { passed, most });
    }
  }
}

/** The agents that workers of a group wait for. */
export function agentsOf({ takers }: Pick<Group, 'takers'>): readonly string[] {
  return [...new Set([...takers.values()].flatMap((each) => [...each]))];
}

export function placeOf({ contextId, version }: WaitingAttempt): string {
  return JSON.stringify([contextId, version]);
}

/** The union of the filters of groups of one workspace whose keys have the same kinds of limits. */
function unionOf(groups: readonly Group[]): QueueFilter {
  const workspace = groups[0]?.filter.workspace ?? '';
  const agents = [...new Set(groups.flatMap(agentsOf))];
  const union = (lists: readonly (readonly string[] | null)[]) => {
    const limited = lists.filter((list) => list !== null);
    return limited.length < lists.length ? null : [...new Set(limited.flat())];
  };
  const contexts = union(groups.map(({ filter }) => filter.contexts));
  const workflows = union(groups.map(({ filter }) => filter.workflows));
  return { workspace, agents, contexts, workflows };
}
