import { Inject, Injectable } from '@nestjs/common';
import { type Kysely, type RawBuilder, type Transaction, sql } from 'kysely';
import { LRUCache } from 'lru-cache';

import { type AgentDefinition, contractLimits } from '#agent-contracts';
import { type Database } from '#database';

import { InvalidInputError } from '../errors.js';
import { DATABASE } from '../tokens.js';
import { refuseFaults } from './agent-faults.js';
import { type RegisteredAgent, toRegistered, toView } from './agent-rows.js';
import { type AgentView, type RegisteredAnswer } from './agents.messages.js';

/** Versions are only ever added, so that their number tells every state of a registry from every other. */
type CachedRegistry = Readonly<{ versions: number; agents: readonly RegisteredAgent[] }>;

/** Workspaces whose registry is cached. */
const mostCached = 64;

/** `replaces`: whether an agent that is registered otherwise is registered anew. */
export type Registration = Readonly<{
  definition: AgentDefinition;
  by: string;
  replaces: boolean;
}>;

/** The agents of workspaces, in the order in which they were registered first; every version is kept. */
@Injectable()
export class AgentStore {
  readonly #cached = new LRUCache<string, CachedRegistry>({ max: mostCached });

  constructor(@Inject(DATABASE) private readonly db: Kysely<Database>) {}

  /**
   * As they are registered now, whichever process did it: one look at an index, which brings their definitions only
   * where they are not the ones this process has ready, and nothing at all if `mark` says that they are.
   */
  async find(workspace: string, mark?: number): Promise<readonly RegisteredAgent[]> {
    const cached = this.#cached.get(workspace) ?? { versions: 0, agents: [] };
    if (mark === cached.versions) return cached.agents;
    const { rows } = await sql<{ versions: number }>`
      select stored.versions, newest.*
      from (select ${this.mark(workspace)} as versions) stored
      left join lateral (${newestOf(workspace, sql`stored.versions <> ${cached.versions}`)}) newest on true`.execute(
      this.db,
    );
    const versions = rows[0]?.versions ?? 0;
    if (versions === cached.versions) return cached.agents;
    const agents = rows.map(toRegistered);
    this.#cached.set(workspace, { versions, agents });
    return agents;
  }

  /** A number for {@link find}, to be read by another statement: of the moment of that statement. */
  mark(workspace: string): RawBuilder<number> {
    return sql<number>`(select count(*)::int from throughline.agent_versions where workspace = ${workspace})`;
  }

  /** How many attempts of an agent may run at once now, to be read by another statement; null: any number. */
  maxRunningAttempts(workspace: string, agent: RawBuilder<unknown>): RawBuilder<number | null> {
    // Texts of definitions may hold NUL, which PostgreSQL reads as no JSON: see `storedText`.
    return sql<number | null>`(
      select substring(left(definition, 64) from '^[{]"maxRunningAttempts":([0-9]+)')::integer
      from throughline.agent_versions where workspace = ${workspace} and agent_id = ${agent}
      order by version desc limit 1)`;
  }

  /** As they were registered at `time` (RFC 3339, UTC, milliseconds). */
  async findAt(workspace: string, time: string): Promise<readonly RegisteredAgent[]> {
    const now = await this.find(workspace);
    if (now.every(({ view }) => view.changedAt <= time)) return now;
    const then = sql`date_trunc('milliseconds', changed_at) <= ${time}::timestamptz`;
    const { rows } = await newestOf(workspace, then).execute(this.db);
    return rows.map(toRegistered);
  }

  async get(workspace: string, agentId: string): Promise<AgentView | undefined> {
    const { rows } = await versionsOf(workspace, agentId).execute(this.db);
    return rows.map(toView)[0];
  }

  /**
   * Adds a version, unless it says what the newest says; two at once take turns. Throws {@link InvalidInputError} with
   * every fault.
   */
  async register(
    workspace: string,
    agentId: string,
    registration: Registration,
  ): Promise<RegisteredAnswer> {
    const { definition, by } = registration;
    refuseFaults(agentId, definition);
    const text = storedText(definition);
    return this.db.transaction().execute(async (trx) => {
      await takeTurn(trx, workspace);
      const { rows } = await versionsOf(workspace, agentId).execute(trx);
      const before = rows[0];
      if (before?.definition === text) return { view: toView(before), stored: false };
      if (before && !registration.replaces) throw registeredOtherwise();
      if (!before) await requireRoom(trx, workspace);
      const version = (before?.version ?? 0) + 1;
      const added = await sql`
        insert into throughline.agent_versions (workspace, agent_id, version, definition, changed_by)
        values (${workspace}, ${agentId}, ${version}, ${text}, ${by}) returning *`.execute(trx);
      return { view: toView(added.rows[0]), stored: true };
    });
  }
}

/** The limit comes first, where statements find it without reading the rest. */
function storedText({ maxRunningAttempts, ...rest }: AgentDefinition): string {
  return JSON.stringify({ maxRunningAttempts, ...rest });
}

type Version = Readonly<{ version: number; definition: string }>;

/** Newest first. */
function versionsOf(workspace: string, agentId: string) {
  return sql<Version>`
    select * from throughline.agent_versions
    where workspace = ${workspace} and agent_id = ${agentId} order by version desc limit 1`;
}

/** Of each agent the newest of the versions that fulfil a condition. */
function newestOf(workspace: string, condition: RawBuilder<unknown>) {
  return sql<Version>`
    select * from (
      select distinct on (agent_id) *, min(changed_at) over (partition by agent_id) as registered_at
      from throughline.agent_versions
      where workspace = ${workspace} and ${condition}
      order by agent_id, version desc) newest
    order by registered_at, agent_id`;
}

async function takeTurn(trx: Transaction<Database>, workspace: string): Promise<void> {
  const lock = `throughline.agents.${workspace}`;
  await sql`select pg_advisory_xact_lock(hashtextextended(${lock}, 0))`.execute(trx);
}

async function requireRoom(trx: Transaction<Database>, workspace: string): Promise<void> {
  const { rows } = await sql<{ agents: number }>`
    select count(distinct agent_id)::int as agents from throughline.agent_versions
    where workspace = ${workspace}`.execute(trx);
  if ((rows[0]?.agents ?? 0) < contractLimits.agents) return;
  const detail = `a workspace registers at most ${contractLimits.agents} agents: change one`;
  throw new InvalidInputError([{ pointer: '/agentId', detail }]);
}

function registeredOtherwise(): InvalidInputError {
  const detail = 'is registered already, as something else: change it with PUT';
  return new InvalidInputError([{ pointer: '/agentId', detail }]);
}
