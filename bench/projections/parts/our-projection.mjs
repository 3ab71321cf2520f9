import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';

import { watchProjection } from '../../projection.mjs';
import { openProgram } from '../child-program.mjs';
import { timed } from '../timed.mjs';

const pollMs = 50;

export function openProjector({ build }, connectionString) {
  return openProgram('projector.mjs', [build.directory], {
    DATABASE_URL: connectionString,
    THROUGHLINE_ADMIN_KEY: 'root-key-of-the-benchmark',
    THROUGHLINE_LOG_LEVEL: 'error',
  });
}

/** The live projector, from the start of the log and empty read models to the end. */
export async function catchUp(given, connectionString) {
  const projector = await openProjector(given, connectionString);
  const projection = await watchProjection(connectionString);
  try {
    return await timed(given, projector, async () => {
      projector.begin();
      await projection.settle();
    });
  } finally {
    await projection.close();
    await projector.close();
  }
}

/** A rebuild job with filled read models, from its start to the switch, by the clock of the database. */
export async function rebuild(given, connectionString) {
  const { build } = given;
  const pool = build.createPool({ connectionString, applicationName: 'bench', max: 2 });
  const db = build.createDatabase(pool);
  const projector = await openProjector(given, connectionString);
  const jobId = randomUUID();
  try {
    await build.startRebuild(db, jobId, {
      projection: build.sharedContextProjection,
      verify: 'sample',
      requestedBy: 'bench',
    });
    const phases = new Map();
    const slot = await timed(given, projector, async () => {
      projector.begin();
      await followed({ build, db, jobId, phases });
    });
    const job = await build.findProgress(db, jobId);
    if (job.state !== 'switched') throw new Error(`the rebuild is ${job.state}: ${job.detail}`);
    if (job.different > 0) throw new Error(`the rebuild made other rows: ${job.detail}`);
    const seconds = (Date.parse(job.switchedAt) - Date.parse(job.startedAt)) / 1000;
    return { ...slot, seconds, phases: Object.fromEntries(phases) };
  } finally {
    await projector.close();
    await db.destroy();
  }
}

/** `phases`: the seconds in each phase, as far as sampling shows. */
async function followed({ build, db, jobId, phases }) {
  for (let last = performance.now(); ;) {
    const { state, phase, endedAt } = await build.findProgress(db, jobId);
    const now = performance.now();
    phases.set(phase, (phases.get(phase) ?? 0) + (now - last) / 1000);
    last = now;
    if (state === 'switched' || endedAt !== null) return;
    await wait(pollMs);
  }
}
