import { type HistoryLine } from '#invariants';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { request } from 'undici';

import { createPool } from '#database';
import { type EventStore } from '#event-sourcing';
import { PostgresEventStore } from '#event-store-postgres';
import { createEmptyDatabase, readLog } from '#testing';

import { type Finished, throughline } from '../e2e/server-process.js';
import { rootKey } from './harness/context-client.js';
import { HistoryRecorder } from './harness/history-recorder.js';
import { type KillablePostgres, openKillablePostgres } from './harness/postgres.js';
import { type Run, runScenario } from './harness/scenario.js';
import { limitMs, sized } from './harness/size.js';
import { waitUntil } from './harness/wait-until.js';
import { Writing } from './harness/writing.js';

const before = sized(200, 50_000);
/** Writers go on until the backup is there. */
const most = 1_000_000;

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
    'a backup taken during writes holds what was acknowledged before it, and goes on in a new cluster',
    () =>
      runScenario('R-16', postgres, async (run) => {
        const { database, fleet, client, recorder, store } = run;
        const server = await fleet.start('api');
        const contexts = Array.from({ length: 12 }, (_, n) => `c-${n}`);
        const clients = Array.from({ length: 8 }, (_, n) =>
          client(`writer-${n}`, () => server.address),
        );
        await Promise.all(contexts.map((id, n) => clients[n % 8]?.create(id)));
        const writing = new Writing(clients, contexts, most);
        await writing.reached(before / most);
        const taken = recorder.now();
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
        const history = await historyBefore(run, taken).save();
        expectDone(await throughline(['audit', history], restored));
        const [resumed, kept] = await goOn(restored.DATABASE_URL, store);
        expect(resumed).toEqual(kept);
        return { appends, resumed: resumed.length };
      }),
    limitMs,
  );
});

/** What was asked before the backup was taken; what was answered only later may be in it or not. */
function historyBefore({ recorder, seed }: Run, taken: number): HistoryRecorder {
  const history = new HistoryRecorder('R-16-restored', seed);
  for (const line of recorder.lines)
    if (line.kind === 'append' && line.inv < taken) history.add(asOf(line, taken));
  history.end({});
  return history;
}

function asOf(line: Extract<HistoryLine, { kind: 'append' }>, taken: number): HistoryLine {
  if (line.ret !== null && line.ret < taken) return line;
  const { kind, client, stream, inv, ret, count, key = '' } = line;
  return { kind, client, stream, inv, ret, count, key, outcome: 'unknown' };
}

/** A subscriber that had half of the log goes on with the restored one: what it gets, and what it would have got. */
async function goOn(connectionString: string, original: EventStore) {
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

function expectDone({ code, err }: Finished): void {
  if (code !== 0) throw new Error(`ended with ${code}: ${err}`);
}

async function lagOf(address: string): Promise<number> {
  const answer = await request(`${address}/v1/contexts?limit=1`, {
    headers: { authorization: `Bearer ${rootKey}` },
  });
  await answer.body.dump();
  return Number(answer.headers['x-projection-lag']);
}
