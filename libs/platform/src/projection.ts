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

type Site = Readonly<{
  db: Kysely<Database>;
  projectorDb: Kysely<Database>;
  /** Waits for its statements as long as they take. */
  jobDb: Kysely<Database>;
  store: EventStore;
  log: Logger;
  metrics: Metrics;
  /** Undefined if nobody writes summaries. */
  summaries: SummaryWorker | undefined;
}>;

/**
 * What keeps the read models: the projector, and beside it the rebuild jobs, what makes contexts be found and what has them
 * summarized.
 */
type Projection = Readonly<{
  projector: Projector;
  start: () => void;
  /** Resolves when the batch in hand is committed or rolled back. */
  stop: () => Promise<void>;
}>;

/** Health and metrics say so rather than wait. */
const probeLimitMs = 1_000;
/** Sizes are looked up at the cost of one in twenty of a connection at most. */
const sizesRest = { restMs: 1_000, restTimes: 20 };
/** A rebuild under way is the newest of its projection. */
const newest = 10;

export function openProjection(site: Site): Projection {
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

function watchSizes({ db, metrics }: Site): void {
  const thresholds = { threshold: defaultSettings.tokenThreshold, near: nearThreshold };
  const sizes = throttledQuery(() => findContextSizes(db, thresholds), sizesRest);
  metrics.watchContexts(() => answerWithin(probeLimitMs, sizes));
}

async function read({ db, store }: Pick<Site, 'db' | 'store'>): Promise<ProjectionReading> {
  const [projections, jobs, search] = await Promise.all([
    listProjections({ db, store }),
    listJobs(db, newest),
    findSearchStatus(db),
  ]);
  const running = jobs.filter(({ state }) => state === 'running');
  const rebuilds = await Promise.all(running.map(({ jobId }) => findProgress(db, jobId)));
  return { projections, search, rebuilds: rebuilds.filter((job) => job !== undefined) };
}

/** `changed` hears of every batch that was applied here. */
function openProjector({ projectorDb, store, log, metrics }: Site, changed: () => void): Projector {
  const projector = new Projector(projectorDb, store, {
    applied: (events) => {
      metrics.projectedEvents.inc(events);
      changed();
    },
    parked: (context) => {
      metrics.parkedContexts.inc();
      log.error(
        { parked: context },
        'a context was set aside: one of its events could not be applied',
      );
    },
    failed: (error, retryInMs) => {
      metrics.projectorFailures.inc();
      log.warn({ err: error, retryInMs }, 'the projector could not apply a batch and tries again');
    },
    unrecorded: (error) => log.warn({ err: error }, 'the projector could not store its own state'),
    owns: (partitions) => {
      metrics.ownedPartitions.set(partitions.length);
      log.info({ partitions }, 'the projector has these partitions');
    },
  });
  return projector;
}

function openIndexer(db: Kysely<Database>, store: EventStore, log: Logger): SearchIndexer {
  return new SearchIndexer(
    { db, store },
    {
      refused: ({ workspace, contextId }, error) =>
        log.error({ workspace, contextId, err: error }, 'a context cannot be searched any further'),
      failed: (error, retryInMs) =>
        log.warn({ err: error, retryInMs }, 'what contexts are found by could not be kept up'),
    },
  );
}

function openRunner(site: RebuildScope, log: Logger): RebuildRunner {
  return new RebuildRunner(site, {
    started: ({ jobId, projection }) => log.info({ jobId, projection }, 'a rebuild goes on'),
    ended: ({ jobId, state, detail }) => log.info({ jobId, state, detail }, 'a rebuild has ended'),
    failed: (error) => log.warn({ err: error }, 'a rebuild could not go on'),
  });
}
