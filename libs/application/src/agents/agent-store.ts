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

/** Versions are only ever added, so that their number tells every state of a registry from every other. */
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

/** `replaces`: whether an agent that is registered otherwise is registered anew. */
type Registration = Readonly<{ definition: AgentDefinition; by: string; replaces: boolean }>;

/** The agents of workspaces, in the order in which they were registered first; every version is kept. */
@Injectable()
export class AgentStore {
  readonly #cached = new LRUCache<string, Registry>({ max: maxCached });
  readonly #versions: VersionedStore<typeof versionTable>;

  constructor(@Inject(DATABASE) db: Kysely<Database>) {
    this.#versions = new VersionedStore(db, versionTable);
  }

  /**
   * As they are registered now, whichever process did it: one statement, which brings their definitions only where they
   * are not the cached ones, and none if `mark` says that they are.
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

  /** A number for {@link find}, to be read by another statement: of the moment of that statement. */
  mark(workspace: string): RawBuilder<number> {
    return sql<number>`(select count(*)::int from throughline.agent_versions where workspace = ${workspace})`;
  }

  /** How many attempts of an agent may run at once now, to be read by another statement; null: any number. */
  maxRunningAttempts(workspace: string, agent: RawBuilder<unknown>): RawBuilder<number | null> {
    const definition = this.#versions.newestValue({ workspace, name: agent });
    // Texts of definitions may hold NUL, which PostgreSQL reads as no JSON: see `storedText`.
    return sql<number | null>`(
      substring(left(${definition}, 64) from '^[{]"maxRunningAttempts":([0-9]+)')::integer)`;
  }

  /** As they were registered at `time` (RFC 3339, UTC, milliseconds). */
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
   * Adds a version, unless it says what the newest says; two at once take turns. Throws {@link InvalidInputError} with
   * every fault.
   */
  async register(
    workspace: string,
    agentId: string,
    { definition, by, replaces }: Registration,
  ): Promise<RegisteredAnswer> {
    refuseFaults(agentId, definition);
    const text = storedText(definition);
    const place = { workspace, name: agentId };
    const { version, stored } = await this.#versions.put(place, by, async (before, trx) => {
      if (before?.value === text) return before;
      if (before && !replaces) throw registeredOtherwise();
      if (!before) await requireRoom(trx, workspace);
      return text;
    });
    return { view: toView(version), stored };
  }
}

/** The limit comes first, where statements find it without reading the rest. */
function storedText({ maxRunningAttempts, ...rest }: AgentDefinition): string {
  return JSON.stringify({ maxRunningAttempts, ...rest });
}

async function requireRoom(trx: Transaction<Database>, workspace: string): Promise<void> {
  if ((await countNames(trx, versionTable, workspace)) < contractLimits.agents) return;
  const detail = `a workspace registers at most ${contractLimits.agents} agents: change one`;
  throw new InvalidInputError([{ pointer: '/agentId', detail }]);
}

function registeredOtherwise(): InvalidInputError {
  const detail = 'is registered already, as something else: change it with PUT';
  return new InvalidInputError([{ pointer: '/agentId', detail }]);
}
