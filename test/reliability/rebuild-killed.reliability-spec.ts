import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';

import { request } from 'undici';

import { findProgress, sharedContextProjection, startRebuild } from '#read-models';

import { rootKey } from './harness/context-client.js';
import { GrowingContexts } from './harness/histories.js';
import { type KillablePostgres, openKillablePostgres } from './harness/postgres.js';
import { runScenario } from './harness/scenario.js';
import { limitMs, sized } from './harness/size.js';
import { waitUntil } from './harness/wait-until.js';

const events = sized(2_000, 2_000_000);
const contextCount = sized(30, 2_000);
/** Slow enough for a kill during the rebuild. */
const rate = sized(1_000, 10_000);
const kills = sized(2, 3);
/**
 * The pause between the requests of the reader and of the writer: without it they take the processor from the rebuild.
 */
const pauseMs = sized(20, 0);

describe('R-10', () => {
  let postgres: KillablePostgres;

  beforeAll(async () => {
    postgres = await openKillablePostgres();
  });
  afterAll(() => postgres.close());

  it(
    'a rebuild killed during its run is continued, while writes arrive and every read is answered',
    () =>
      runScenario('R-10', postgres, async (run) => {
        const { database, fleet, client } = run;
        const contexts = new GrowingContexts(run, contextCount);
        await contexts.grow(events, 50);
        const server = await fleet.start('api', { PROJECTOR: 'external' });
        let rebuilder = await fleet.startProjector('projector-0');
        const { jobId } = await startRebuild(database.db, randomUUID(), {
          projection: sharedContextProjection,
          verify: 'all',
          requestedBy: 'admin',
          rate,
        });
        const progress = () => findProgress(database.db, jobId);

        let running = true;
        const reader = client('reader');
        const reading = (async () => {
          let reads = 0;
          for (let n = 0; running; n++) {
            const version = await reader.read(contexts.id(n % contextCount));
            expect(version).toBeGreaterThan(0);
            expect(await status(`${server.address}/v1/contexts?limit=5`)).toBe(200);
            reads += 2;
            await delay(pauseMs);
          }
          return reads;
        })();
        const writer = client('writer');
        await writer.create('written');
        const writing = (async () => {
          let writes = 0;
          for (; running; writes++) {
            await writer.append({ contextId: 'written', key: `k-${writes}` });
            await delay(pauseMs);
          }
          return writes;
        })();

        for (let kill = 1; kill <= kills; kill++) {
          const share = (events * kill) / (kills + 1);
          await waitUntil(
            `${share} events applied by the rebuild`,
            progress,
            (job) => (job?.applied ?? 0) >= share,
          );
          await fleet.end(rebuilder, 'SIGKILL');
          rebuilder = await fleet.startProjector(`projector-${kill}`);
        }
        await waitUntil('the end of the rebuild', progress, (job) =>
          /^(switched|failed|cancelled)$/.test(job?.state ?? ''),
        );
        running = false;
        const [reads, writes] = await Promise.all([reading, writing]);
        const done = await progress();
        expect(done).toMatchObject({ state: 'switched', different: 0 });
        return { kills, reads, writes, compared: done?.compared ?? 0 };
      }),
    limitMs,
  );
});

async function status(url: string): Promise<number> {
  const answer = await request(url, { headers: { authorization: `Bearer ${rootKey}` } });
  await answer.body.dump();
  return answer.statusCode;
}
