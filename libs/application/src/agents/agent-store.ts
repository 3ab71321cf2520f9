import { Inject, Injectable } from '@nestjs/common';
import { type Kysely, type RawBuilder, type Transaction, sql } from 'kysely';
import { LRUCache } from 'lru-cache';

import { type AgentDefinition, contractLimits } from '#agent-contracts';
import { type Database } from '#database';

import { InvalidInputError } from '../errors.js';
import { DATABASE } from '../tokens.js';
import { VersionedStore, countNames } from '../versioned-store/versioned-store.js';
import { refuseFaults } from './agent-faults.js';
import { type RegisteredAgent, toRegistered, toView } from './agent-rows.js';
import { type AgentView, type RegisteredAnswer } from './agents.messages.js';

/** Versions are only added, never changed, so that their number identifies a state of the registry. */
type Registry = Readonly<{ versions: number; agents: readonly RegisteredAgent[] }>;

const versionTable = {
  table: 'agent_versions',
  name: 'agent_id',
  value: 'definition',
  lock: 'agents',
  order: sql`min(changed_at) over (partition by agent_id)`,
};
/** Workspaces whose registry is cached. */
const maxCached = 64;

/** `replaces`: whether an agent with another definition gets a new version; otherwise it is refused. */
type Registration = Readonly<{ definition: AgentDefinition; by: string; replaces: boolean }>;

/** The agents of workspaces, in the order of their first registration; every version is stored. */
@Injectable()
export class AgentStore {
  readonly #cached = new LRUCache<string, Registry>({ max: maxCached });
  readonly #versions: VersionedStore<typeof versionTable>;

  constructor(@Inject(DATABASE) db: Kysely<Database>) {
    this.#versions = new VersionedStore(db, versionTable);
  }

  /**
   * The agents that are registered now, by any process. Takes one statement, which returns the definitions only if they differ
   * from the cached ones, and no statement if `mark` equals that of the cached ones.
   */
  async find(workspace: string, mark?: number): Promise<readonly RegisteredAgent[]> {
    const cached = this.#cached.get(workspace) ?? { versions: 0, agents: [] };
    if (mark === cached.versions) return cached.agents;
    const found = await this.#versions.listIfChanged(
      cached.versions,
      workspace,
      this.mark(workspace),
    );
    if (found === 'unchanged') return cached.agents;
    const agents = found.newest.map(toRegistered);
    this.#cached.set(workspace, { versions: found.versions, agents });
    return agents;
  }

  /** An SQL expression for another statement: returns the `mark` for {@link find} at the time of that statement. */
  mark(workspace: string): RawBuilder<number> {
    return sql<number>`(select count(*)::int from throughline.agent_versions where workspace = ${workspace})`;
  }

  /** An SQL expression for another statement: how many attempts of an agent may run at once; null if any number. */
  maxRunningAttempts(workspace: string, agent: RawBuilder<unknown>): RawBuilder<number | null> {
    const definition = this.#versions.newestValue({ workspace, name: agent });
    // Definitions may contain NUL, which PostgreSQL does not accept in JSON: see `storedText`.
    return sql<number | null>`(
      substring(left(${definition}, 64) from '^[{]"maxRunningAttempts":([0-9]+)')::integer)`;
  }

  /** The agents that were registered at `time` (RFC 3339, UTC, milliseconds). */
  async findAt(workspace: string, time: string): Promise<readonly RegisteredAgent[]> {
    const now = await this.find(workspace);
    if (now.every(({ view }) => view.changedAt <= time)) return now;
    const then = sql`date_trunc('milliseconds', changed_at) <= ${time}::timestamptz`;
    return (await this.#versions.list(workspace, then)).map(toRegistered);
  }

  async get(workspace: string, agentId: string): Promise<AgentView | undefined> {
    const found = await this.#versions.newest({ workspace, name: agentId });
    return found && toView(found);
  }

  /**
   * Adds a version, unless the newest one is equal; concurrent calls run one after the other. Throws {@link InvalidInputError}
   * with all faults.
   */
  async register(
    workspace: string,
    agentId: string,
    { definition, by, replaces }: Registration,
  ): Promise<RegisteredAnswer> {
    refuseFaults(agentId, definition);
    const text = storedText(definition);
    const key = { workspace, name: agentId };
    const { version, stored } = await this.#versions.put(key, by, async (before, trx) => {
      if (before?.value === text) return before;
      if (before && !replaces) throw registeredOtherwise();
      if (!before) await requireRoom(trx, workspace);
      return text;
    });
    return { view: toView(version), stored };
  }
}

/** The limit comes first, so that statements read it without parsing the rest. */
function storedText({ maxRunningAttempts, ...rest }: AgentDefinition): string {
  return JSON.stringify({ maxRunningAttempts, ...rest });
}

async function requireRoom(trx: Transaction<Database>, workspace: string): Promise<void> {
  if ((await countNames(trx, versionTable, workspace)) < contractLimits.agents) return;
  const detail = `a workspace registers at most ${contractLimits.agents} agents: change one`;
  throw new InvalidInputError([{ pointer: '/agentId', detail }]);
}

function registeredOtherwise(): InvalidInputError {
  const detail = 'is registered already with another definition: change it with PUT';
  return new InvalidInputError([{ pointer: '/agentId', detail }]);
}
