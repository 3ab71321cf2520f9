import { randomUUID } from 'node:crypto';

import { sql } from 'kysely';

import { did, useTestStore } from '#testing';

import { announceProjections } from '../projector/announce-projections.js';
import { isAlive } from '../projector/ownership.js';
import { findPositions } from '../projector/partition-rows.js';
import { listProjections } from '../projector/projection-status.js';
import { sharedContextProjection } from '../projector/shared-context.projection.js';
import { RebuildLostError } from './copy-events.js';
import { type RebuildJob, buildNames } from './rebuild-job.js';
import { claimJob } from './rebuild-job.lease.js';
import { cancelJob, findProgress, startRebuild } from './rebuild-jobs.js';
import { RebuildCancelledError, runRebuild } from './run-rebuild.js';

const never = new AbortController().signal;

describe('runRebuild', () => {
  const on = useTestStore();

  beforeEach(async () => {
    for (const context of ['a', 'b', 'c'])
      await on.history.append(context, did('ContextCreated', {}), did('ContextClosed', {}));
    await announceProjections(on);
    await startRebuild(on.db, randomUUID(), {
      projection: sharedContextProjection,
      verify: 'all',
      requestedBy: 'admin',
    });
  });

  const scopeOf = (instance: string) => ({ db: on.db, store: on.store, instance });
  const claim = async (instance: string): Promise<RebuildJob> => {
    const job = await claimJob(on.db, instance, isAlive);
    if (!job) throw new Error('no job could be claimed');
    return job;
  };

  it('changes no row of a process that has taken over the job', async () => {
    const [sleeper, successor] = [randomUUID(), randomUUID()];
    const stale = await claim(sleeper);
    // As if its heartbeats had stopped for long enough.
    await sql`update throughline.jobs set seen_at = null`.execute(on.db);
    const job = await claim(successor);
    await expect(runRebuild(scopeOf(successor), job, AbortSignal.abort())).rejects.toThrow();
    const before = await built(job);
    await expect(runRebuild(scopeOf(sleeper), stale, never)).rejects.toThrow(RebuildLostError);
    expect(await built(job)).toEqual(before);
    await runRebuild(scopeOf(successor), await claim(successor), never);
    const { jobId } = job;
    expect(await findProgress(on.db, jobId)).toMatchObject({ state: 'switched', applied: 6 });
  });

  it('does not switch after the job was cancelled', async () => {
    const instance = randomUUID();
    const job = await claim(instance);
    await cancelJob(on.db, job.jobId);
    const run = runRebuild(scopeOf(instance), job, never);
    await expect(run).rejects.toThrow(RebuildCancelledError);
    expect(await findPositions(on.db, sharedContextProjection)).toEqual(Array(8).fill('start'));
  });

  it('ends at the head of the log if the replaced rows were ahead of it', async () => {
    await sql`update throughline.projection_partitions set position = '1000'`.execute(on.db);
    const [instance, head] = [randomUUID(), await on.store.head()];
    await runRebuild(scopeOf(instance), await claim(instance), never);
    expect(await findPositions(on.db, sharedContextProjection)).toEqual(Array(8).fill(head));
  });

  it('leaves a projection that is not stuck because of a failure before its last event', async () => {
    await runRebuild(scopeOf(randomUUID()), await claim(randomUUID()), never);
    await sql`
      insert into throughline.projector_instances (instance, host, pid) values (${randomUUID()}, 'here', 1)`.execute(
      on.db,
    );
    await sql`
      update throughline.projection_partitions set failure = 'the network was gone for a moment',
        owner = (select instance from throughline.projector_instances)`.execute(on.db);
    const [projection] = await listProjections(on);
    expect(projection?.lagEvents).toBe(0);
    expect(projection?.state).not.toBe('stuck');
  });

  async function built(job: RebuildJob) {
    const { building, buildSchema } = buildNames(job);
    const { rows } = await sql`
      select partition, epoch, owner, to_regclass(${`${buildSchema}.contexts`})::text as contexts
      from throughline.projection_partitions where projection = ${building} order by partition`.execute(
      on.db,
    );
    return rows;
  }
});
