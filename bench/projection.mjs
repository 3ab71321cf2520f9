import { setTimeout as wait } from 'node:timers/promises';

import { connect } from './connections.mjs';

const pollMs = 3;

const behind = `
  select (coalesce(h.position, 0) - coalesce(p.position, 0))::int as events
  from (select max(position) as position from throughline.events) h,
    (select min(coalesce(position::bigint, 0)) as position
     from throughline.projection_partitions where projection = 'shared-context') p`;

/** Measures the lag of our read models. */
export async function watchProjection(connectionString) {
  const client = await connect(connectionString);
  const lag = async () => (await client.query(behind)).rows[0].events;
  return {
    /** Resolves when the read models are current, with their lag and its duration. */
    settle: async () => {
      const events = await lag();
      const started = performance.now();
      for (let left = events; left > 0; left = await lag()) await wait(pollMs);
      return { events, milliseconds: performance.now() - started };
    },
    close: () => client.end(),
  };
}
