import { Inject, Injectable } from '@nestjs/common';
import { type Kysely, sql } from 'kysely';
import { v7 } from 'uuid';
import { z } from 'zod';

import { type Database } from '#database';
import { type ContextId, ContextReader } from '#read-models';
import { findRun, isActiveRun, runKey } from '#shared-context';
import { advanceCommand, executor } from '#workflow';

import { rootPrincipal } from '../keys/keys.handlers.js';
import { DATABASE } from '../tokens.js';
import { ContextWriter } from '../writing/context-writer.js';
import { type PreparedWrite } from '../writing/prepared-write.js';
import { RunDefinitions, storeEpoch } from './run-definitions.js';

const dueRow = z.object({ workspace: z.string(), context_id: z.string() });

/** Runs of which the time has come, and what it brings about. */
@Injectable()
export class DueRuns {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<Database>,
    @Inject(ContextReader) private readonly reader: ContextReader,
    private readonly writer: ContextWriter,
    private readonly definitions: RunDefinitions,
  ) {}

  /** Contexts in which something may be due; their rows may be behind. */
  async find(limit: number): Promise<readonly ContextId[]> {
    const now = new Date(await this.definitions.now()).toISOString();
    const { rows } = await sql`
      select distinct o.workspace, o.context_id
      from throughline.open_work o
      join throughline.contexts c on c.workspace = o.workspace and c.context_id = o.context_id
      where o.kind in ('run', 'run-step') and not o.due and o.assignee is null
        and o.opened_at <= ${now} and c.status = 'open' and c.imported is not true
      limit ${limit}`.execute(this.db);
    return rows.map((row) => {
      const { workspace, context_id: contextId } = dueRow.parse(row);
      return { workspace, contextId };
    });
  }

  /** Whether time has changed the run. */
  async advance(id: ContextId): Promise<boolean> {
    const { state } = await this.reader.read(id, { keys: [runKey], bodies: false });
    const run = findRun(state.lookup);
    if (!isActiveRun(run)) return false;
    const { workflow, now } = await this.definitions.of(id.workspace, run);
    const { contextId } = id;
    const given = { contextId, runId: run.runId, now, random: Math.random(), epoch: storeEpoch };
    const command = advanceCommand(workflow, { type: 'tick' }, given);
    const { kind } = await this.writer.submit(ownWrite(id, command));
    return kind === 'stored';
  }
}

/** The interpreter's own write, on nobody's request. */
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
      ...{ origin: null, correlationId: null, causationId: null, basedOn: null },
      trust: 'tool',
    },
    repeat: undefined,
    eventId: () => v7(),
  };
}
