import { randomUUID } from 'node:crypto';

import { sql } from 'kysely';

import { did, useTestStore, waitFor } from '#testing';

import { announceProjections } from '../projector/announce-projections.js';
import { isAlive } from '../projector/ownership.js';
import { sharedContextProjection } from '../projector/shared-context.projection.js';
import { claimJob } from './rebuild-job.lease.js';
import { findProgress, startRebuild } from './rebuild-jobs.js';
import { RebuildRunner } from './rebuild-runner.js';

describe('processes that look for rebuilds', () => {
  const on = useTestStore();

  it('leave one alone from the moment at which another has taken it', async () => {
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

  it('leave one alone that is worked on by a process which keeps no rows', async () => {
    for (const context of ['a', 'b', 'c', 'd'])
      await on.history.append(context, did('ContextCreated', {}), did('ContextClosed', {}));
    await announceProjections(on);
    // As after streams were moved: nobody may write these rows, and nobody is heard of for them.
    await sql`update throughline.projections set store_identity = ${randomUUID()}`.execute(on.db);
    const jobId = randomUUID();
    await startRebuild(on.db, jobId, {
      projection: sharedContextProjection,
      verify: 'sample',
      requestedBy: 'admin',
      // Slow enough for the others to look several times.
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
