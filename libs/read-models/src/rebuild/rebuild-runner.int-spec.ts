import { randomUUID } from 'node:crypto';

import { PostgresEventStore } from '#event-store-postgres';
import {
  HistoryWriter,
  type TestDatabase,
  type TestServer,
  did,
  openTestDatabase,
  openTestServer,
} from '#testing';

import { announceProjections } from '../projector/announce-projections.js';
import { sharedContextProjection } from '../projector/shared-context.projection.js';
import { type JobProgress, findProgress, startRebuild } from './rebuild-jobs.js';
import { RebuildRunner } from './rebuild-runner.js';

describe('the runner of rebuilds', () => {
  let server: TestServer;
  let database: TestDatabase;

  beforeAll(async () => {
    server = await openTestServer();
  });
  afterAll(() => server.close());

  beforeEach(async () => {
    database = await openTestDatabase(server);
  });
  afterEach(() => database.close());

  it.each([
    ['a deadlock', '40P01', 'switched'],
    ['a session that was ended for standing still', '25P03', 'switched'],
    ['what will fail again', '42P01', 'failed'],
  ] as const)('ends a job by %s as it should', async (_, code, state) => {
    const store = new FailingOnce({ pool: database.pool }, code);
    await new HistoryWriter(store).append('c', did('ContextCreated', {}));
    await announceProjections({ db: database.db, store });
    const jobId = randomUUID();
    const projection = sharedContextProjection;
    await startRebuild(database.db, jobId, { projection, verify: 'all', requestedBy: 'admin' });
    const runner = new RebuildRunner({ db: database.db, store, instance: randomUUID() });
    runner.start();
    expect(await settled(jobId)).toMatchObject({ state });
    await runner.stop();
    await store.close();
  });

  async function settled(jobId: string): Promise<JobProgress | undefined> {
    for (;;) {
      const job = await findProgress(database.db, jobId);
      if (job && !['waiting', 'running'].includes(job.state)) return job;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
});

/** The real one, whose first subscription ends as the database may end it. */
class FailingOnce extends PostgresEventStore {
  #failed = false;

  constructor(
    options: ConstructorParameters<typeof PostgresEventStore>[0],
    private readonly code: string,
  ) {
    super(options);
  }

  override subscribeAll(
    ...subscription: Parameters<PostgresEventStore['subscribeAll']>
  ): ReturnType<PostgresEventStore['subscribeAll']> {
    if (this.#failed) return super.subscribeAll(...subscription);
    this.#failed = true;
    throw Object.assign(new Error('the database refused'), { code: this.code });
  }
}
