import { openTcpProxy } from '#testing';

import { streamOf } from './harness/context-client.js';
import {
  type CrashPoint,
  type CrashSite,
  crashPoints,
  installCommitLock,
} from './harness/crash-points.js';
import { releaseLocks } from './harness/locks.js';
import { type KillablePostgres, openKillablePostgres } from './harness/postgres.js';
import { type Run, runScenario } from './harness/scenario.js';
import { limitMs, sized } from './harness/size.js';

const rounds = sized(1, 50);

describe('R-03', () => {
  let postgres: KillablePostgres;

  beforeAll(async () => {
    postgres = await openKillablePostgres();
  });
  afterAll(() => postgres.close());

  it(
    'a server killed at each point of a write stores all of it or nothing, and a repetition stores it once',
    () =>
      runScenario('R-03', postgres, async (run) => {
        await installCommitLock(run.database.pool);
        const survivor = await run.fleet.start('survivor', { PROJECTOR: 'external' });
        const after = run.client('survivor', () => survivor.address);
        await after.create('shared');
        for (let round = 0; round < rounds; round++)
          for (const [n, point] of crashPoints.entries()) {
            const contextId = point.command === 'create' ? `c-${round}-${n}` : 'shared';
            const command = {
              contextId,
              key: `k-${round}-${n}`,
              ...(point.command === 'create' && { path: '', expected: 0 }),
            };
            const before = await versionOf(run, contextId);
            await killAt(point, run, command);
            expect([point.name, await versionOf(run, contextId)]).toEqual([
              point.name,
              before + point.leaves,
            ]);
            await expect(after.append(command)).resolves.toMatchObject({
              outcome: 'ok',
              version: before + 1,
            });
            expect(await versionOf(run, contextId)).toBe(before + 1);
          }
        return { points: crashPoints.length, rounds };
      }),
    limitMs,
  );
});

async function killAt(
  point: CrashPoint,
  { database, fleet, client }: Run,
  command: Readonly<{ contextId: string; key: string }>,
): Promise<void> {
  const url = new URL(database.connectionString);
  const proxy = await openTcpProxy({ host: url.hostname, port: Number(url.port) });
  url.port = String(proxy.port);
  const holder = await database.pool.connect();
  try {
    const victim = await fleet.start('victim', { DATABASE_URL: url.href, PROJECTOR: 'external' });
    const writer = client('writer', () => victim.address);
    const sent = Promise.withResolvers<void>();
    const answered = sent.promise.then(() => writer.attempt(command));
    const site: CrashSite = { holder, pool: database.pool, proxy, go: sent.resolve, answered };
    await point.reach(site);
    await fleet.end(victim, 'SIGKILL');
    await releaseLocks(database.pool, holder, point.sessions);
    await answered;
  } finally {
    // A failure must not prevent the end of the run: closing the connection releases its locks.
    holder.release(true);
    await proxy.close();
  }
}

async function versionOf({ store }: Run, contextId: string): Promise<number> {
  const [newest] = await store.readStream(streamOf(contextId), {
    direction: 'backwards',
    limit: 1,
  });
  return newest ? newest.version : 0;
}
