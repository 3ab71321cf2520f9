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
import { describeStanding, findSetAside } from './standing.js';
import { type Streams, type StreamsKind, openStreams } from './streams.js';
import { waitUntil } from './wait-until.js';

export type Figures = Record<string, number | string>;

/** What a scenario works with; everything in it ends with the run. */
export type Run = Readonly<{
  seed: number;
  random: SeededRandom;
  recorder: HistoryRecorder;
  postgres: KillablePostgres;
  database: TestDatabase;
  store: EventStore;
  streams: Streams;
  fleet: Fleet;
  /** Contexts that the scenario makes impossible to apply: no others may be set aside. */
  poisoned: Set<string>;
  /** Clients that send to the first server that runs, or to `address`, and whose requests the audit holds to `deadlineMs`. */
  client: (name: string, address?: () => string, deadlineMs?: number) => ContextClient;
}>;

/** Requests wait for a statement's answer for 10 s and for an append for 3 s, each at most. */
const requestLimitMs = 15_000;
const appendTimeoutMs = 3_000;

/**
 * Runs a scenario on streams and a database of its own, and at its end the audit, I1 to I10: over what its clients recorded, the
 * log and the rows, once these have caught up. Tells its seed and its figures; a failure names the recorded history.
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
    const figures = await inTime(work(run));
    const left = await catchUp(run);
    await run.fleet.stopAll();
    await recordEffects(run);
    const seconds = Math.round((performance.now() - started) / 100) / 10;
    const history = recorder.end({ ...figures, seconds });
    const audit = await auditStore({ db: run.database.db, store: run.store }, history);
    tell(`${id} seed ${seed}: ${JSON.stringify({ ...figures, events: audit.events, seconds })}`);
    await refuse(run, [
      ...violations(audit.reports),
      ...(await findUnexpected(run, left)).map(describeSetAside),
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

/** What hangs leaves its history as well, which a test that is cut off would not. */
async function inTime<Result>(work: Promise<Result>): Promise<Result> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => late.reject(new Error(`not done after ${workLimitMs} ms`)),
    workLimitMs,
  );
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Whoever is left projects the rest, and we with them; what we had to set aside. */
async function catchUp({ database, store }: Run): Promise<SetAside[]> {
  const left: SetAside[] = [];
  const projector = new Projector(database.db, store, {
    parked: (context) => left.push({ ...context, by: 'the projector of the test' }),
  });
  projector.start();
  await waitUntil(
    'rows that have caught up with the log',
    () => projector.lag().catch((error: unknown) => error),
    (lag) => lag === 0,
  );
  await projector.stop();
  return left;
}

/** Each event was applied once: rows alone would not tell a repetition. */
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

/** Contexts that were set aside at any time though nothing was wrong with them: an event was passed over. */
async function findUnexpected(
  { fleet, database, poisoned }: Run,
  left: readonly SetAside[],
): Promise<SetAside[]> {
  return [
    ...[...fleet.setAside, ...left].filter(({ contextId }) => !poisoned.has(contextId)),
    ...(await findSetAside(database.db)),
  ];
}

async function refuse({ database, store }: Run, faults: readonly string[]): Promise<void> {
  if (faults.length === 0) return;
  const standing = await describeStanding({ db: database.db, store });
  throw new Error([...faults, standing].join('\n'));
}

/** Jest keeps what tests print to itself unless they fail. */
function tell(line: string): void {
  process.stderr.write(`${line}\n`);
}
