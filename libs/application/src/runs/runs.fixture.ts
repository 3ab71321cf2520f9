import { createSecretKey } from 'node:crypto';

import { type Kysely, sql } from 'kysely';

import { type Database } from '#database';
import { type EventStore, type JsonObject } from '#event-sourcing';
import { ContextReader } from '#read-models';
import { type ContextCommand, type ItemLookup, itemKinds } from '#shared-context';
import {
  type CompiledWorkflow,
  type RunCommand,
  advanceCommand,
  compileWorkflow,
  workflowDefinition,
} from '#workflow';

import { AgentStore } from '../agents/agent-store.js';
import { rootPrincipal } from '../authentication/authentication.js';
import { SettingsStore } from '../settings/settings-store.js';
import { defaultSettings } from '../settings/settings.messages.js';
import { TransformationStore } from '../transformations/transformation-store.js';
import { WorkflowStore } from '../workflows/workflow-store.js';
import { CommandProcessor } from '../writing/command-processor.js';
import { prepareWrite } from '../writing/prepared-write.js';
import { AttemptClaims } from './attempt-claims.js';
import { AttemptLimits } from './attempt-limits.js';
import { CompiledWorkflows } from './compiled-workflows.js';
import { DeniedAttempts } from './denied-attempts.js';
import { DueRuns } from './due-runs.js';
import { RunDefinitions } from './run-definitions.js';
import { StoreClock } from './store-clock.js';
import { DefaultRecoveries } from './default-recoveries.js';
import { UnrestrictedWorkers } from './unrestricted-workers.js';
import { WorkQueue } from './work-queue.js';

const key = createSecretKey(Buffer.alloc(32));
const principal = rootPrincipal('w');

/** Options for tests: without heartbeats, claims lapse soon. */
export const testRunOptions = {
  appendTimeoutMs: 10_000,
  now: Date.now,
  leaseMs: 400,
  hiddenInputMs: 60_000,
};

/** The stores of the contexts of a test. */
type TestStores = Readonly<{ db: Kysely<Database>; store: EventStore }>;

/** The parts of a process that claim attempts. */
export function claimParts(db: Kysely<Database>) {
  const [settings, agents] = [new SettingsStore(db, defaultSettings), new AgentStore(db)];
  const limits = new AttemptLimits(settings, agents);
  const claims = new AttemptClaims(db, testRunOptions, limits);
  const unrestricted = new UnrestrictedWorkers();
  const denied = new DeniedAttempts(testRunOptions, unrestricted);
  const queue = new WorkQueue(db, testRunOptions, limits, denied);
  return {
    settings,
    agents,
    limits,
    claims,
    queue,
    unrestricted,
    denied,
  };
}

/** Copies the rows of a context in the read models `count` times, each time for another context. */
export async function copyRows(
  db: Kysely<Database>,
  contextId: string,
  count: number,
): Promise<void> {
  for (const table of ['contexts', 'context_items', 'open_work'].map((name) =>
    sql.table(`throughline.${name}`),
  ))
    await sql`
      insert into ${table}
      select (jsonb_populate_record(source, jsonb_build_object('context_id', source.context_id || '-' || n))).*
      from ${table} source, generate_series(1, ${count}::integer) n
      where source.workspace = 'w' and source.context_id = ${contextId}`.execute(db);
}

/** Runs of one definition in workspace `w`, each in its own context. */
export class TestRuns {
  /** Advances runs with due items. */
  readonly due: DueRuns;
  readonly #reader: ContextReader;
  readonly #writer: CommandProcessor;
  readonly #clock: StoreClock;

  private constructor(
    { db, store }: TestStores,
    workflows: WorkflowStore,
    private readonly published: Readonly<{
      workflow: CompiledWorkflow;
      definition: Readonly<{ definitionId: string; version: number; hash: string }>;
    }>,
  ) {
    this.#reader = new ContextReader(db, store);
    this.#clock = new StoreClock(db);
    const transformations = new TransformationStore(db);
    this.#writer = new CommandProcessor(store, this.#reader, transformations, testRunOptions);
    const definitions = new RunDefinitions(
      new CompiledWorkflows(workflows),
      this.#clock,
      new DefaultRecoveries(new AgentStore(db)),
    );
    this.due = new DueRuns(db, this.#reader, this.#writer, definitions);
  }

  static async publish(on: TestStores, steps: readonly object[], more: object = {}) {
    const source = { id: 'tested', steps, ...more };
    const workflows = new WorkflowStore(on.db);
    const parsed = workflowDefinition.parse(source);
    // The cast is safe because a parsed definition is JSON.
    const value = source as unknown as JsonObject;
    const { view } = await workflows.publish('w', { definition: parsed, value, by: 'ada' });
    const { definitionId, version, hash } = view;
    const definition = { definitionId, version, hash };
    return new TestRuns(on, workflows, { workflow: compileWorkflow(parsed), definition });
  }

  /** `ago`: milliseconds before the time of the database. */
  async start(contextId: string, ago = 0): Promise<void> {
    await this.#submit(contextId, { type: 'CreateContext', data: {} });
    const { definition } = this.published;
    const runCommand = { type: 'start', definition, input: null, by: 'ada' } as const;
    await this.advance(contextId, runCommand, ago);
  }

  async advance(contextId: string, runCommand: RunCommand, ago = 0): Promise<void> {
    const { now, epoch } = await this.#clock.read();
    const facts = { contextId, runId: `run-${contextId}`, now: now - ago, random: 0, epoch };
    await this.#submit(contextId, advanceCommand(this.published.workflow, runCommand, facts));
  }

  async state(contextId: string): Promise<ItemLookup> {
    const read = await this.#reader.read({ workspace: 'w', contextId }, { kinds: itemKinds });
    return read.state.lookup;
  }

  async #submit(contextId: string, command: ContextCommand): Promise<void> {
    await this.#writer.submit(prepareWrite({ principal, contextId, commands: [command] }, key));
  }
}
