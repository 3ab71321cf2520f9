import { setTimeout as wait } from 'node:timers/promises';

import { Inject, Injectable } from '@nestjs/common';
import { type Kysely, sql } from 'kysely';
import { v7 } from 'uuid';
import { z } from 'zod';

import { type Database } from '#database';
import { type ContextId, ContextReader } from '#read-models';
import { findRun, isActiveRun, runKey } from '#shared-context';
import { advanceCommand, executor } from '#workflow';

import { rootPrincipal } from '../keys/keys.handlers.js';
import { DATABASE, FAILURE_LOG, type FailureLog } from '../tokens.js';
import { ContextWriter } from '../writing/context-writer.js';
import { type PreparedWrite } from '../writing/prepared-write.js';
import { CompiledWorkflows } from './compiled-workflows.js';
import { RunClock } from './run-clock.js';
import { storeEpoch } from './run-writer.js';

const lookMs = 1_000;
/** So many runs are looked at in one go. */
const someRuns = 50;
/** A run that time did not change, as a paused one, is left alone for so long. */
const restMs = 30_000;
const mostResting = 10_000;

const dueRow = z.object({ workspace: z.string(), context_id: z.string() });

/**
 * Lets time pass in runs: deadlines of attempts, approvals that expire, limits of duration, the ends of cancellations. Any number of
 * processes may do so: what one has brought about, others find done.
 */
@Injectable()
export class RunTimers {
  readonly #stop = new AbortController();
  readonly #resting = new Map<string, number>();
  #running: Promise<void> | undefined;

  constructor(
    @Inject(DATABASE) private readonly db: Kysely<Database>,
    @Inject(ContextReader) private readonly reader: ContextReader,
    private readonly writer: ContextWriter,
    private readonly workflows: CompiledWorkflows,
    private readonly clock: RunClock,
    @Inject(FAILURE_LOG) private readonly failed: FailureLog,
  ) {}

  start(): void {
    this.#running ??= this.#run();
  }

  /** Resolves when the run in hand is done with. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  /** Advances runs that are due; how many it has changed. */
  async look(): Promise<number> {
    let changed = 0;
    for (const id of await this.#due()) {
      if (this.#stop.signal.aborted) break;
      if (await this.#advance(id)) changed += 1;
      else this.#rest(id);
    }
    return changed;
  }

  async #run(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      const changed = await this.look().catch((error: unknown) => {
        if (!this.#stop.signal.aborted) this.failed(error, 'runs whose time has come');
        return 0;
      });
      if (changed === 0) await pause(lookMs, this.#stop.signal);
    }
  }

  async #due(): Promise<readonly ContextId[]> {
    const now = new Date(await this.clock.now()).toISOString();
    const { rows } = await sql`
      select distinct o.workspace, o.context_id
      from throughline.open_work o
      join throughline.contexts c on c.workspace = o.workspace and c.context_id = o.context_id
      where c.status = 'open' and c.imported is not true and o.assignee is null and (
        (o.kind in ('run', 'run-step') and not o.due and o.opened_at <= ${now})
        or (o.kind = 'run-step' and o.due and o.state::json -> 'approval' ->> 'expiresAt' <= ${now}))
      limit ${someRuns + this.#resting.size}`.execute(this.db);
    const ids = rows.map((row) => {
      const { workspace, context_id: contextId } = dueRow.parse(row);
      return { workspace, contextId };
    });
    return ids.filter((id) => !this.#rests(id));
  }

  /** Whether time has changed the run: the row may be behind. */
  async #advance(id: ContextId): Promise<boolean> {
    const { state } = await this.reader.read(id, { keys: [runKey], bodies: false });
    const run = findRun(state.lookup);
    if (!isActiveRun(run)) return false;
    const { runId, definitionId, definitionVersion } = run;
    const { workflow } = await this.workflows.find(id.workspace, definitionId, definitionVersion);
    const given = { contextId: id.contextId, runId, random: Math.random(), epoch: storeEpoch };
    const now = await this.clock.now();
    const command = advanceCommand(workflow, { type: 'tick' }, { ...given, now });
    const { kind } = await this.writer.submit(ownWrite(id, command));
    return kind === 'stored';
  }

  #rests(id: ContextId): boolean {
    const until = this.#resting.get(nameOf(id));
    if (until === undefined || until > performance.now()) return until !== undefined;
    this.#resting.delete(nameOf(id));
    return false;
  }

  #rest(id: ContextId): void {
    if (this.#resting.size >= mostResting) this.#resting.clear();
    this.#resting.set(nameOf(id), performance.now() + restMs);
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

function nameOf({ workspace, contextId }: ContextId): string {
  return JSON.stringify([workspace, contextId]);
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await wait(ms, undefined, { signal }).catch((error: unknown) => {
    if (!(error instanceof Error && error.name === 'AbortError')) throw error;
  });
}
