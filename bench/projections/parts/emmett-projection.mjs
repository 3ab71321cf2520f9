import { openPool } from '../../connections.mjs';
import { askOnce } from '../../database-server.mjs';
import { agentWork } from '../agent-work.mjs';
import { openProgram } from '../child-program.mjs';
import { timed } from '../timed.mjs';
import { inRuns } from '../sealed-log.mjs';
import { withStore } from './filled-log.mjs';

const clients = 8;

/** Plans use the indexes, like ours, although the tables are new. */
const onIndexes = encodeURIComponent(
  ['seqscan', 'hashjoin', 'mergejoin'].map((way) => `-c enable_${way}=off`).join(' '),
);

/** The same work in Emmett's store, with tables like ours for its projection. */
export async function fillEmmett(given, connectionString) {
  const { getPostgreSQLEventStore } = await import('@event-driven-io/emmett-postgresql');
  await withStore(given, connectionString, () => undefined);
  const pool = openPool(connectionString, clients);
  const store = getPostgreSQLEventStore(connectionString, {
    connectionOptions: { pooled: true, pool },
    schema: { autoMigration: 'None' },
  });
  await store.schema.migrate();
  const versions = new Map();
  await inRuns(agentWork(given), (run) => append(store, versions, run));
  await store.close();
  if (!pool.ended) await pool.end();
  await straighten(connectionString);
  await given.databases.settle(connectionString);
}

/**
 * Its reader orders by transaction but stores a position, and so skips events of overlapping transactions: here all
 * events belong to one.
 */
async function straighten(connectionString) {
  await askOnce(
    connectionString,
    'update emt_messages set transaction_id = (select transaction_id from emt_messages order by global_position limit 1)',
  );
}

/**
 * Emmett's consumer in a separate process, from the start of its log, in batches of this number of events with a pause
 * between them.
 */
export async function projectWithEmmett(given, connectionString, { batch, pauseMs }) {
  const args = [`${connectionString}?options=${onIndexes}`, String(batch), String(pauseMs)];
  const program = await openProgram('emmett-consumer.mjs', args, {});
  try {
    const slot = await timed(given, program, async () => {
      program.begin();
      await program.said('done');
    });
    const [{ rows }] = await askOnce(
      connectionString,
      'select count(*)::int as rows from throughline.context_versions',
    );
    if (rows !== given.events)
      throw new Error(`Emmett projected ${rows} of ${given.events} events`);
    return slot;
  } finally {
    await program.close();
  }
}

async function append(store, versions, run) {
  const { contextId } = run[0];
  const before = versions.get(contextId) ?? 0;
  versions.set(contextId, before + run.length);
  const events = run.map(({ type, data, agent }, n) => ({
    ...{ type, data },
    metadata: { principal: agent, recordedAt: new Date(Date.UTC(2026) + before + n).toISOString() },
  }));
  await store.appendToStream(contextId, events, {
    expectedStreamVersion: before === 0 ? 'STREAM_DOES_NOT_EXIST' : BigInt(before),
  });
}
