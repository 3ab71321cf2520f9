import { type HistoryLine } from '#invariants';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { request } from 'undici';

import { createPool } from '#database';
import { type EventStore } from '#event-sourcing';
import { PostgresEventStore } from '#event-store-postgres';
import { createEmptyDatabase, readLog } from '#testing';

import { type ProcessResult, throughline } from '../e2e/server-process.js';
import { rootKey } from './harness/context-client.js';
import { HistoryRecorder } from './harness/history-recorder.js';
import { type KillablePostgres, openKillablePostgres } from './harness/postgres.js';
import { type Run, runScenario } from './harness/scenario.js';
import { limitMs, sized } from './harness/size.js';
import { waitUntil } from './harness/wait-until.js';
import { Writing } from './harness/writing.js';

const before = sized(200, 50_000);
/** The writers continue until the backup is complete. */
const maxAppends = 1_000_000;

describe('R-16', () => {
  let postgres: KillablePostgres;
  let younger: KillablePostgres;
  let directory: string;

  beforeAll(async () => {
    [postgres, younger] = await Promise.all([openKillablePostgres(), openKillablePostgres()]);
    directory = await mkdtemp(join(tmpdir(), 'throughline-backup-'));
  });
  afterAll(async () => {
    await Promise.all([postgres.close(), younger.close()]);
    await rm(directory, { recursive: true, force: true });
  });

  it(
    'a backup taken during writes contains all writes acknowledged before it, and a new cluster continues from it',
    () =>
      runScenario('R-16', postgres, async (run) => {
        const { database, fleet, client, recorder, store } = run;
        const server = await fleet.start('api');
        const contexts = Array.from({ length: 12 }, (_, n) => `c-${n}`);
        const clients = Array.from({ length: 8 }, (_, n) =>
          client(`writer-${n}`, () => server.address),
        );
        await Promise.all(contexts.map((id, n) => clients[n % 8]?.create(id)));
        const writing = new Writing(clients, contexts, maxAppends);
        await writing.reached(before / maxAppends);
        const startedAt = recorder.now();
        const file = join(directory, `${run.seed}.backup`);
        expectDone(
          await throughline(['backup', file], { DATABASE_URL: database.connectionString }),
        );
        writing.stop();
        const appends = (await writing.finished()).length;

        const restored = { DATABASE_URL: await createEmptyDatabase(younger) };
        expectDone(await throughline(['restore', file], restored));
        const again = await fleet.start('restored', restored);
        await waitUntil(
          'a list with X-Projection-Lag: 0',
          () => lagOf(again.address),
          (lag) => lag === 0,
        );
        const history = await historyBefore(run, startedAt).save();
        expectDone(await throughline(['audit', history], restored));
        const [resumed, acknowledged] = await resumeFrom(restored.DATABASE_URL, store);
        expect(resumed).toEqual(acknowledged);
        return { appends, resumed: resumed.length };
      }),
    limitMs,
  );
});

/** The requests sent before the backup began; the backup may or may not contain writes that were acknowledged later. */
function historyBefore({ recorder, seed }: Run, startedAt: number): HistoryRecorder {
  const history = new HistoryRecorder('R-16-restored', seed);
  for (const line of recorder.lines)
    if (line.kind === 'append' && line.inv < startedAt) history.add(asOf(line, startedAt));
  history.end({});
  return history;
}

function asOf(line: Extract<HistoryLine, { kind: 'append' }>, startedAt: number): HistoryLine {
  if (line.ret !== null && line.ret < startedAt) return line;
  const { kind, client, stream, inv, ret, count, key = '' } = line;
  return { kind, client, stream, inv, ret, count, key, outcome: 'unknown' };
}

/**
 * Resumes a subscription in the middle of the log on the restored store, and returns the events that it gets and the
 * expected ones.
 */
async function resumeFrom(connectionString: string, original: EventStore) {
  const pool = createPool({ connectionString, applicationName: 'restored' });
  const restored = new PostgresEventStore({ pool });
  const [log, copy] = await Promise.all(
    [original, restored].map((store) => readLog(store, 'start')),
  );
  const half = Math.floor((copy?.length ?? 0) / 2);
  const after = log?.[half - 1]?.position ?? 'start';
  const resumed = await readLog(restored, after);
  await restored.close();
  await pool.end();
  return [resumed, log?.slice(half, half + resumed.length)] as const;
}

function expectDone({ code, err }: ProcessResult): void {
  if (code !== 0) throw new Error(`ended with ${code}: ${err}`);
}

async function lagOf(address: string): Promise<number> {
  const answer = await request(`${address}/v1/contexts?limit=1`, {
    headers: { authorization: `Bearer ${rootKey}` },
  });
  await answer.body.dump();
  return Number(answer.headers['x-projection-lag']);
}
