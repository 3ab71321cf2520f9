import { type Kysely } from 'kysely';

import { type SummaryWorker, defaultSettings, nearThreshold } from '#application';
import { type Database } from '#database';
import { type EventStore } from '#event-sourcing';
import {
  type RebuildScope,
  Projector,
  RebuildRunner,
  SearchIndexer,
  findContextSizes,
  findProgress,
  findSearchStatus,
  listJobs,
  listProjections,
} from '#read-models';

import { answerWithin } from './answer-within.js';
import { type Logger } from './logger.js';
import { type Metrics } from './metrics.js';
import { type ProjectionReading } from './projection-metrics.js';
import { throttledQuery } from './throttled-query.js';

type ProjectionOptions = Readonly<{
  db: Kysely<Database>;
  projectorDb: Kysely<Database>;
  /** Has no statement timeout. */
  jobDb: Kysely<Database>;
  store: EventStore;
  log: Logger;
  metrics: Metrics;
  /** Undefined if no summaries are written. */
  summaries: SummaryWorker | undefined;
}>;

/**
 * Everything that updates the read models: the projector, the rebuild jobs, the search indexer and the summary worker.
 */
type Projection = Readonly<{
  projector: Projector;
  start: () => void;
  /** Resolves when the current batch is committed or rolled back. */
  stop: () => Promise<void>;
}>;

/** Health and metrics report a missing answer after this time instead of waiting. */
const probeLimitMs = 1_000;
/** Limits queries for sizes to a twentieth of the time of one connection. */
const sizesRest = { restMs: 1_000, restTimes: 20 };
/** The number of newest jobs that are read; a running rebuild is the newest job of its projection. */
const maxJobs = 10;

export function openProjection(site: ProjectionOptions): Projection {
  const { db, projectorDb, jobDb, store, log, metrics, summaries } = site;
  const indexer = openIndexer(projectorDb, store, log);
  const projector = openProjector(site, () => {
    indexer.wake();
    summaries?.wake();
  });
  const runner = openRunner({ db: jobDb, store, instance: projector.instance }, log);
  metrics.watchProjections(() => answerWithin(probeLimitMs, () => read({ db, store })));
  watchSizes(site);
  return {
    projector,
    start: () => {
      projector.start();
      runner.start();
      indexer.start();
      summaries?.start();
    },
    stop: async () => {
      await summaries?.stop();
      await indexer.stop();
      await runner.stop();
      await projector.stop();
      metrics.ownedPartitions.set(0);
    },
  };
}

function watchSizes({ db, metrics }: ProjectionOptions): void {
  const thresholds = { threshold: defaultSettings.tokenThreshold, near: nearThreshold };
  const sizes = throttledQuery(() => findContextSizes(db, thresholds), sizesRest);
  metrics.watchContexts(() => answerWithin(probeLimitMs, sizes));
}

async function read({
  db,
  store,
}: Pick<ProjectionOptions, 'db' | 'store'>): Promise<ProjectionReading> {
  const [projections, jobs, search] = await Promise.all([
    listProjections({ db, store }),
    listJobs(db, maxJobs),
    findSearchStatus(db),
  ]);
  const running = jobs.filter(({ state }) => state === 'running');
  const rebuilds = await Promise.all(running.map(({ jobId }) => findProgress(db, jobId)));
  return { projections, search, rebuilds: rebuilds.filter((job) => job !== undefined) };
}

/** `changed` is called after every batch that this process has applied. */
function openProjector(
  { projectorDb, store, log, metrics }: ProjectionOptions,
  changed: () => void,
): Projector {
  const projector = new Projector(projectorDb, store, {
    applied: (events) => {
      metrics.projectedEvents.inc(events);
      changed();
    },
    quarantined: (context) => {
      metrics.quarantinedContexts.inc();
      log.error(
        { parked: context },
        'a context was quarantined: one of its events could not be applied',
      );
    },
    failed: (error, retryInMs) => {
      metrics.projectorFailures.inc();
      log.warn({ err: error, retryInMs }, 'the projector could not apply a batch and will retry');
    },
    unrecorded: (error) => log.warn({ err: error }, 'the projector could not store its own state'),
    owns: (partitions) => {
      metrics.ownedPartitions.set(partitions.length);
      log.info({ partitions }, 'the projector owns these partitions');
    },
  });
  return projector;
}

function openIndexer(db: Kysely<Database>, store: EventStore, log: Logger): SearchIndexer {
  return new SearchIndexer(
    { db, store },
    {
      refused: ({ workspace, contextId }, error) =>
        log.error(
          { workspace, contextId, err: error },
          'newer events of a context cannot be searched',
        ),
      failed: (error, retryInMs) =>
        log.warn(
          { err: error, retryInMs },
          'the search index could not be updated and will be retried',
        ),
    },
  );
}

function openRunner(site: RebuildScope, log: Logger): RebuildRunner {
  return new RebuildRunner(site, {
    started: ({ jobId, projection }) =>
      log.info({ jobId, projection }, 'a rebuild was started or continued'),
    ended: ({ jobId, state, detail }) => log.info({ jobId, state, detail }, 'a rebuild has ended'),
    failed: (error) => log.warn({ err: error }, 'a rebuild could not continue'),
  });
}
