import { Injectable } from '@nestjs/common';
import { type RawBuilder, sql } from 'kysely';
import { LRUCache } from 'lru-cache';

import { AgentStore } from '../agents/agent-store.js';
import { SettingsStore } from '../settings/settings-store.js';
import { type WaitingAttempt } from './waiting-attempt.js';

/** Agents of a workspace. `except`: claims that do not count, because the caller starts none of these attempts. */
type LimitedAgents = Readonly<{
  workspace: string;
  agents: readonly string[];
  except?: readonly WaitingAttempt[];
}>;

type HeldAttempt = Readonly<{ workspace: string; attempt: WaitingAttempt }>;

/** `held`: an attempt of the workspace that found no room before and may start now. */
type RoomListener = (workspace: string, held: WaitingAttempt | undefined) => void;

const maxHeld = 1_000;
/** After this time, the rows contain the attempt. */
const holdMs = 2_000;

/**
 * Limits how many attempts run at once in a workspace, and per agent. An attempt counts as running while its claim is live:
 * from the claim to the report, or to the end of a lease that is not renewed.
 */
@Injectable()
export class AttemptLimits {
  readonly #turns = new Map<string, Promise<unknown>>();
  /** Workspaces in which this process has counted claims since the last end of an attempt: workers may wait for room there. */
  readonly #counted = new Set<string>();
  readonly #held = new LRUCache<string, HeldAttempt>({ max: maxHeld, ttl: holdMs });
  readonly #listeners: RoomListener[] = [];

  constructor(
    private readonly settings: SettingsStore,
    private readonly agents: AgentStore,
  ) {}

  /** An SQL expression for the statement that claims an attempt: whether a limit applies to the agent. */
  isLimited(workspace: string, agent: RawBuilder<unknown>): RawBuilder<boolean> {
    return sql<boolean>`(${this.settings.maxRunningAttempts(workspace)} is not null
      or ${this.agents.maxRunningAttempts(workspace, agent)} is not null)`;
  }

  /**
   * A query of the agents that may start an attempt now. `room` and `workspace_room`: how many attempts of the agent, and
   * of the workspace, may start; null if any number. `claims`: a table of the live claims of the workspace.
   */
  startable(
    { workspace, agents, except = [] }: LimitedAgents,
    claims: RawBuilder<unknown> = claimsIn(workspace),
  ): RawBuilder<unknown> {
    return sql`
      with live as (
        select h.agent from ${claims} h where not h.ended and ${isNoneOf(except)}),
      agent_limits as materialized (
        select a.agent, ${this.settings.maxRunningAttempts(workspace)} as in_workspace,
               ${this.agents.maxRunningAttempts(workspace, sql`a.agent`)} as of_agent
        from unnest(${[...new Set(agents)]}::text[]) a(agent)),
      rooms as (
        select agent,
               case when of_agent is not null
                 then of_agent - (select count(*)::integer from live where live.agent = agent_limits.agent) end as room,
               case when in_workspace is not null
                 then in_workspace - (select count(*)::integer from live) end as workspace_room
        from agent_limits)
      select * from rooms where coalesce(room, 1) > 0 and coalesce(workspace_room, 1) > 0`;
  }

  /**
   * Runs counted claims one after the other. `claim` is one statement, which reads {@link lockedClaims}; it returns
   * undefined if no attempt may start.
   */
  async runInTurn<Claimed>(
    workspace: string,
    claim: () => Promise<Claimed | undefined>,
  ): Promise<Claimed | undefined> {
    for (;;) {
      this.#counted.add(workspace);
      const claimed = await this.#queued(workspace, claim);
      // If an attempt has ended meanwhile, there may be room now.
      if (claimed !== undefined || this.#counted.has(workspace)) return claimed;
    }
  }

  /**
   * Holds an attempt that found no room, and that the rows may not contain yet. {@link onRoom} passes it on once there is
   * room.
   */
  hold(workspace: string, attempt: WaitingAttempt): void {
    const name = JSON.stringify([workspace, attempt.contextId, attempt.version]);
    this.#held.set(name, { workspace, attempt });
  }

  /** Calls `listener` once an attempt has ended in a workspace in which this process has counted claims. */
  onRoom(listener: RoomListener): void {
    this.#listeners.push(listener);
  }

  /** Call it when this process learns that an attempt has ended. */
  noteEnd(workspace: string): void {
    if (!this.#counted.delete(workspace)) return;
    const held = this.#takeHeld(workspace);
    for (const listener of this.#listeners) listener(workspace, held);
  }

  /** Runs the claims of a workspace one after the other, so that those waiting for the lock take one connection per process. */
  async #queued<Claimed>(workspace: string, claim: () => Promise<Claimed>): Promise<Claimed> {
    const turn = Promise.resolve(this.#turns.get(workspace)).then(claim);
    // The caller gets the error of its claim; the next claim runs all the same.
    const end = turn.catch(() => undefined);
    this.#turns.set(workspace, end);
    try {
      return await turn;
    } finally {
      if (this.#turns.get(workspace) === end) this.#turns.delete(workspace);
    }
  }

  /** Removes the attempt that has been held longest. */
  #takeHeld(workspace: string): WaitingAttempt | undefined {
    for (const name of this.#held.rkeys()) {
      const held = this.#held.peek(name);
      if (held?.workspace !== workspace) continue;
      this.#held.delete(name);
      return held.attempt;
    }
    return undefined;
  }
}

type WithRoom = Readonly<{ agent: string; room: number | null; workspace_room: number | null }>;

/** The first rows that may start together; `room` and `workspace_room` as in {@link AttemptLimits.startable}. */
export function withinRoom<Row extends WithRoom>(rows: readonly Row[]): readonly Row[] {
  const taken = new Map<string, number>();
  const ofAgents = rows.filter(({ agent, room }) => {
    const before = taken.get(agent) ?? 0;
    taken.set(agent, before + 1);
    return room === null || before < room;
  });
  return ofAgents.slice(0, rows[0]?.workspace_room ?? rows.length);
}

/**
 * The live claims of the workspace. Takes a lock until the statement ends, so that no other claim is added. The result contains
 * all claims committed before, even if the snapshot of the rest of the statement is older.
 */
export function lockedClaims(workspace: string): RawBuilder<unknown> {
  return sql`throughline.claims_in_turn(${workspace})`;
}

function claimsIn(workspace: string): RawBuilder<unknown> {
  return sql`(
    select * from throughline.run_claims
    where workspace = ${workspace} and lease_until > clock_timestamp())`;
}

function isNoneOf(except: readonly WaitingAttempt[]): RawBuilder<boolean> {
  if (except.length === 0) return sql<boolean>`true`;
  const contexts = except.map(({ contextId }) => contextId);
  const steps = except.map(({ stepId }) => stepId);
  const versions = except.map(({ version }) => version);
  return sql<boolean>`(h.context_id, h.step_id, h.version) not in (
    select * from unnest(${contexts}::text[], ${steps}::text[], ${versions}::integer[]))`;
}
