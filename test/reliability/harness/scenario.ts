import { sql } from 'kysely';
import { type InvariantReport } from '#invariants';

import { type EventStore } from '#event-sourcing';
import { auditStore } from '#operations';
import { Projector, sharedContextProjection } from '#read-models';
import { type TestDatabase, countEvents, openTestDatabase } from '#testing';

import { stopServerProcesses } from '../../e2e/server-process.js';
import { ContextClient } from './context-client.js';
import { Fleet } from './fleet.js';
import { HistoryRecorder } from './history-recorder.js';
import { type KillablePostgres } from './postgres.js';
import { SeededRandom } from './seeded-random.js';
import { type SetAside, describeSetAside } from './set-aside.js';
import { chooseSeed, workLimitMs } from './size.js';
import { describeProgress, findSetAside } from './standing.js';
import { type Streams, type StreamsKind, openStreams } from './streams.js';
import { waitUntil } from './wait-until.js';

export type Figures = Record<string, number | string>;

/** The parts of a scenario; everything in it is stopped at the end of the run. */
export type Run = Readonly<{
  seed: number;
  random: SeededRandom;
  recorder: HistoryRecorder;
  postgres: KillablePostgres;
  database: TestDatabase;
  store: EventStore;
  streams: Streams;
  fleet: Fleet;
  /** Contexts that the scenario makes impossible to project: no others may be quarantined. */
  poisoned: Set<string>;
  /**
   * Clients that send to the first running server, or to `address`; the audit limits their requests to `deadlineMs`.
   */
  client: (name: string, address?: () => string, deadlineMs?: number) => ContextClient;
}>;

/** Requests wait at most 10 s for the answer of a statement and 3 s for an append. */
const requestLimitMs = 15_000;
const appendTimeoutMs = 3_000;

/**
 * Runs a scenario on new streams and a new database, and then the audit of I1 to I10: over the recorded requests of its
 * clients, the log, and the rows once these are current. Prints its seed and figures; a failure names the recorded
 * history.
 */
export async function runScenario(
  id: string,
  postgres: KillablePostgres,
  work: (run: Run) => Promise<Figures>,
  kind: StreamsKind = 'postgres',
): Promise<void> {
  const seed = chooseSeed();
  const started = performance.now();
  const recorder = new HistoryRecorder(id, seed);
  const run = await openRun(seed, recorder, postgres, kind);
  try {
    const figures = await withinLimit(work(run));
    const quarantined = await catchUp(run);
    await run.fleet.stopAll();
    await recordEffects(run);
    const seconds = Math.round((performance.now() - started) / 100) / 10;
    const history = recorder.end({ ...figures, seconds });
    const audit = await auditStore({ db: run.database.db, store: run.store }, history);
    printLine(
      `${id} seed ${seed}: ${JSON.stringify({ ...figures, events: audit.events, seconds })}`,
    );
    await refuse(run, [
      ...violations(audit.reports),
      ...(await findUnexpected(run, quarantined)).map(describeSetAside),
    ]);
  } catch (error) {
    const file = await recorder.save();
    throw new Error(`${id} failed with seed ${seed}; its history is ${file}`, { cause: error });
  } finally {
    await stopServerProcesses();
    await run.streams.close();
    await run.database.close();
  }
}

async function openRun(
  seed: number,
  recorder: HistoryRecorder,
  postgres: KillablePostgres,
  kind: StreamsKind,
): Promise<Run> {
  const database = await openTestDatabase(postgres);
  const streams = await openStreams(kind, database);
  const { connectionString } = database;
  const env = {
    DATABASE_URL: connectionString,
    THROUGHLINE_APPEND_TIMEOUT_MS: String(appendTimeoutMs),
    ...streams.env,
  };
  const fleet = new Fleet(recorder, env);
  const first = () => fleet.addresses()[0] ?? 'http://127.0.0.1:9';
  return {
    seed,
    recorder,
    postgres,
    database,
    fleet,
    streams,
    store: streams.store,
    random: new SeededRandom(seed),
    poisoned: new Set(),
    client: (name, address = first, deadlineMs = requestLimitMs) =>
      new ContextClient(name, { address, recorder, deadlineMs }),
  };
}

/** A run that hangs writes its history, too, which a test at its timeout would not. */
async function withinLimit<Result>(work: Promise<Result>): Promise<Result> {
  const timeout = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => timeout.reject(new Error(`not done after ${workLimitMs} ms`)),
    workLimitMs,
  );
  try {
    return await Promise.race([work, timeout.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Applies the remaining events together with the running projectors; returns the contexts that were quarantined here.
 */
async function catchUp({ database, store }: Run): Promise<SetAside[]> {
  const quarantined: SetAside[] = [];
  const projector = new Projector(database.db, store, {
    quarantined: (context) => quarantined.push({ ...context, by: 'the projector of the test' }),
  });
  projector.start();
  await waitUntil(
    'rows that have caught up with the log',
    () => projector.lag().catch((error: unknown) => error),
    (lag) => lag === 0,
  );
  await projector.stop();
  return quarantined;
}

/** Each event was applied once: the rows alone do not show a repetition. */
async function recordEffects({ recorder, database, store }: Run): Promise<void> {
  const { rows } = await sql<{ applied: number }>`
    select coalesce(sum(events), 0)::int as applied from throughline.projection_partitions
    where projection = ${sharedContextProjection}`.execute(database.db);
  recorder.add({
    kind: 'effect',
    effect: 'projection shared-context',
    events: await countEvents(store),
    times: rows[0]?.applied ?? 0,
  });
}

function violations(reports: readonly InvariantReport[]): string[] {
  return reports
    .filter(({ verdict }) => verdict === 'violated')
    .map(({ id, title, offenders, first }) => `${id} (${title}): ${offenders}, first ${first}`);
}

/** Contexts that were quarantined at any time although their events can be applied. */
async function findUnexpected(
  { fleet, database, poisoned }: Run,
  quarantined: readonly SetAside[],
): Promise<SetAside[]> {
  return [
    ...[...fleet.setAside, ...quarantined].filter(({ contextId }) => !poisoned.has(contextId)),
    ...(await findSetAside(database.db)),
  ];
}

async function refuse({ database, store }: Run, faults: readonly string[]): Promise<void> {
  if (faults.length === 0) return;
  const state = await describeProgress({ db: database.db, store });
  throw new Error([...faults, state].join('\n'));
}

/** Jest prints the output of tests that fail only. */
function printLine(line: string): void {
  process.stderr.write(`${line}\n`);
}
