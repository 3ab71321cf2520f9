import { Inject, Injectable } from '@nestjs/common';
import { type Kysely, sql } from 'kysely';
import { z } from 'zod';

import { type Database } from '#database';
import { DomainError } from '#event-sourcing';
import { ContextReader, statusIn } from '#read-models';
import {
  type ContextId,
  type RunFacts,
  findRun,
  findRunStep,
  isActiveRun,
  runKey,
  runStepKey,
} from '#shared-context';
import { type RunCommand, type UsualRecovery, advanceCommand, executor } from '#workflow';

import { newId } from '../new-id.js';
import { rootPrincipal } from '../authentication/authentication.js';
import { DATABASE } from '../tokens.js';
import { CommandProcessor } from '../writing/command-processor.js';
import { type PreparedWrite } from '../writing/prepared-write.js';
import { RunDefinitions } from './run-definitions.js';
import { hasRunStatus } from './run-status.condition.js';

/** Limit of appends for one run before other runs have their turn. */
const maxAppends = 100;

/** A run that is being cancelled ends at its deadline in any epoch. */
const isCancelling = sql`exists (
  select from throughline.context_items r
  where r.workspace = o.workspace and r.context_id = o.context_id
    and r.kind = 'run' and r.to_version is null and ${statusIn('r')} = 'cancelling')`;

const dueRow = z.object({
  workspace: z.string(),
  context_id: z.string(),
  kind: z.string(),
  key: z.string(),
  from_version: z.number(),
});

/** An item of a run that may be due; `version`: the event since which it waits. */
export type DueItem = Readonly<{ id: ContextId; kind: string; key: string; version: number }>;

type RunAttempt = Readonly<{ runId: string; stepId: string; visit: number; attempt: number }>;

/** Finds runs with due items, by the clock of the database, and advances them. */
@Injectable()
export class DueRuns {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<Database>,
    @Inject(ContextReader) private readonly reader: ContextReader,
    private readonly writer: CommandProcessor,
    private readonly definitions: RunDefinitions,
  ) {}

  /** Finds items that may be due: the rows may be older than the runs. */
  async find(limit: number): Promise<readonly DueItem[]> {
    const { rows } = await sql`
      select o.workspace, o.context_id, o.kind, o.key, o.from_version
      from throughline.open_work o
      join throughline.contexts c on c.workspace = o.workspace and c.context_id = o.context_id
      where o.kind in ('run', 'run-step') and not o.due and o.assignee is null
        and o.opened_at <= to_char(clock_timestamp() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
        and c.status = 'open' and (${hasRunStatus(['running', 'paused'])} or ${isCancelling})
      order by o.opened_at
      limit ${limit}`.execute(this.db);
    return rows.map((row) => {
      const { workspace, context_id: contextId, kind, key, from_version } = dueRow.parse(row);
      return { id: { workspace, contextId }, kind, key, version: from_version };
    });
  }

  /**
   * Advances a run by the current time, in as many appends as the interpreter needs. Returns whether an event was stored.
   */
  async applyTime(id: ContextId): Promise<boolean> {
    let appends = 0;
    while (appends < maxAppends && (await this.advance(id, () => ({ type: 'tick' })))) appends += 1;
    return appends > 0;
  }

  /** Whether an attempt is scheduled or running. */
  async isOpen(id: ContextId, { runId, stepId, visit, attempt }: RunAttempt): Promise<boolean> {
    const keys = [runKey, runStepKey(stepId)];
    const { state } = await this.reader.read(id, { keys, bodies: false });
    const run = findRun(state.lookup);
    const step = findRunStep(stepId, state.lookup);
    if (run?.runId !== runId || !isActiveRun(run)) return false;
    const isNewest = step?.visit === visit && step.attempt === attempt;
    return isNewest && (step.status === 'scheduled' || step.status === 'running');
  }

  /** The default recovery of a lost attempt of this agent, for steps that state none. */
  async usualRecovery(workspace: string, agentId: string): Promise<UsualRecovery> {
    return (await this.definitions.recoveries.byAgent(workspace))[agentId] ?? 'ask';
  }

  /** Advances a run without a request, for example because time has passed. Returns whether an event was stored. */
  async advance(
    id: ContextId,
    nextCommand: (run: RunFacts) => RunCommand | undefined,
  ): Promise<boolean> {
    const { state } = await this.reader.read(id, { keys: [runKey], bodies: false });
    const run = findRun(state.lookup);
    const runCommand = isActiveRun(run) ? nextCommand(run) : undefined;
    if (!run || !runCommand) return false;
    const { workflow, now, epoch } = await this.definitions.load(id, run);
    const { contextId } = id;
    const facts = { contextId, runId: run.runId, now, random: Math.random(), epoch };
    const command = advanceCommand(workflow, runCommand, facts);
    try {
      const { kind } = await this.writer.submit(ownWrite(id, command));
      return kind === 'stored';
    } catch (error) {
      // Time does not change a run that waits for a person, such as a run whose definition this store does not contain.
      if (error instanceof DomainError && error.code === 'run-state') return false;
      throw error;
    }
  }
}

/** A write of the interpreter that no request has caused. */
function ownWrite(id: ContextId, command: PreparedWrite['commands'][number]): PreparedWrite {
  return {
    id,
    principal: { ...rootPrincipal(id.workspace), name: executor },
    commands: [command],
    batch: false,
    refusal: undefined,
    ifMatch: undefined,
    facts: {
      principal: executor,
      origin: null,
      correlationId: null,
      causationId: null,
      basedOn: null,
      trust: 'tool',
    },
    repeat: undefined,
    eventId: () => newId(),
  };
}
