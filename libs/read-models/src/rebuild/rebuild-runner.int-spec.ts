import { randomUUID } from 'node:crypto';

import { sql } from 'kysely';

import { did, useTestStore, waitFor } from '#testing';

import { announceProjections } from '../projector/announce-projections.js';
import { isAlive } from '../projector/ownership.js';
import { sharedContextProjection } from '../projector/shared-context.projection.js';
import { claimJob } from './rebuild-job.lease.js';
import { findProgress, startRebuild } from './rebuild-jobs.js';
import { RebuildRunner } from './rebuild-runner.js';

describe('processes that poll for rebuilds', () => {
  const on = useTestStore();

  it('do not claim a rebuild that another process has just claimed', async () => {
    await announceProjections(on);
    await startRebuild(on.db, randomUUID(), {
      projection: sharedContextProjection,
      verify: 'sample',
      requestedBy: 'admin',
      rate: 2,
    });
    expect(await claimJob(on.db, randomUUID(), isAlive)).toMatchObject({ epoch: 1 });
    expect(await claimJob(on.db, randomUUID(), isAlive)).toBeUndefined();
  });

  it('do not claim a rebuild of a process that owns no partitions', async () => {
    for (const context of ['a', 'b', 'c', 'd'])
      await on.history.append(context, did('ContextCreated', {}), did('ContextClosed', {}));
    await announceProjections(on);
    // As after the streams were moved: no projector may write these rows, and none sends a heartbeat for them.
    await sql`update throughline.projections set store_identity = ${randomUUID()}`.execute(on.db);
    const jobId = randomUUID();
    await startRebuild(on.db, jobId, {
      projection: sharedContextProjection,
      verify: 'sample',
      requestedBy: 'admin',
      // Slow enough for the other processes to poll several times.
      rate: 2,
    });
    const runners = [1, 2, 3].map(
      () => new RebuildRunner({ db: on.db, store: on.store, instance: randomUUID() }),
    );
    for (const runner of runners) runner.start();
    await waitFor('a rebuild that has switched', () => findProgress(on.db, jobId), {
      until: (job) => job?.state === 'switched',
    });
    await Promise.all(runners.map((runner) => runner.stop()));
    const { rows } = await sql<{ epoch: bigint }>`
      select epoch from throughline.jobs where job_id = ${jobId}`.execute(on.db);
    expect(rows).toEqual([{ epoch: 1n }]);
  });
});
