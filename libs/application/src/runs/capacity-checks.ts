import { type WaitingAttempt } from './waiting-attempt.js';
import { type QueueFilter } from './queue-filter.js';
import { type WorkQueue } from './work-queue.js';

type Group = Readonly<{
  filter: QueueFilter;
  takers: ReadonlyMap<unknown, ReadonlySet<string>>;
}>;

/** `passed`: the keys of attempts that were passed to workers; a check adds its own, up to `max` in all. */
export type PassedAttempts = Readonly<{ passed: Set<string>; max: number }>;

type CapacityCheckOptions<Waiting> = Readonly<{
  /** The groups of waiting workers, in any workspace. */
  groups: () => Iterable<Waiting>;
  serve: (group: Waiting, passing: PassedAttempts) => Promise<void>;
  failed: (error: unknown) => void;
}>;

/** Limit of attempts per read. */
const maxAtOnce = 500;

/** Finds attempts that may start because others have ended. */
export class CapacityChecks<Waiting extends Group> {
  /** Workspaces in which attempts have ended since their last check began. */
  readonly #withRoom = new Set<string>();
  readonly #checking = new Set<string>();

  constructor(
    private readonly queue: Pick<WorkQueue, 'waiting'>,
    private readonly on: CapacityCheckOptions<Waiting>,
  ) {}

  /** Call it when an attempt has ended. A workspace has one check at a time; attempts that end meanwhile share the next one. */
  async note(workspace: string): Promise<void> {
    this.#withRoom.add(workspace);
    if (this.#checking.has(workspace)) return;
    this.#checking.add(workspace);
    while (this.#withRoom.delete(workspace))
      await this.#checkWorkspace(workspace).catch((error: unknown) => this.on.failed(error));
    this.#checking.delete(workspace);
  }

  async #checkWorkspace(workspace: string): Promise<void> {
    const byKindsOfLimits = new Map<string, Waiting[]>();
    for (const group of this.on.groups()) {
      const { workspace: other, contexts, workflows } = group.filter;
      if (other !== workspace || group.takers.size === 0) continue;
      const limitedBy = JSON.stringify([contexts !== null, workflows !== null]);
      byKindsOfLimits.set(limitedBy, [...(byKindsOfLimits.get(limitedBy) ?? []), group]);
    }
    const passed = new Set<string>();
    for (const groups of byKindsOfLimits.values()) await this.#checkGroups(groups, passed);
  }

  /**
   * Finds with one statement how many attempts may start, and for which agents. Serves only groups that wait for these
   * agents, until that many attempts are passed on.
   */
  async #checkGroups(groups: readonly Waiting[], passed: Set<string>): Promise<void> {
    const takers = groups.reduce((sum, group) => sum + group.takers.size, 0);
    const limit = Math.min(maxAtOnce, takers + passed.size);
    const waiting = await this.queue.waiting(unionOf(groups), limit);
    const remaining = waiting.filter((attempt) => !passed.has(attemptKey(attempt)));
    const agents = new Set(remaining.map(({ agent }) => agent));
    const max = passed.size + remaining.length;
    for (const group of groups) {
      if (passed.size >= max) return;
      if (agentsOf(group).some((agent) => agents.has(agent)))
        await this.on.serve(group, { passed, max });
    }
  }
}

/** The agents that workers of a group wait for. */
export function agentsOf({ takers }: Pick<Group, 'takers'>): readonly string[] {
  return [...new Set([...takers.values()].flatMap((each) => [...each]))];
}

export function attemptKey({ contextId, version }: WaitingAttempt): string {
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
