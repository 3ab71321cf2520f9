import { openPool } from '../connections.mjs';
import { takeTurns } from './turns.mjs';

/** Emmett's PostgreSQL store: exact expected versions, no projections registered, a connection for each client. */
export async function openEmmett({ connectionString, outputs, name, clients }) {
  const { getPostgreSQLEventStore } = await import('@event-driven-io/emmett-postgresql');
  const { STREAM_DOES_NOT_EXIST } = await import('@event-driven-io/emmett');
  const pool = openPool(connectionString, clients);
  const store = getPostgreSQLEventStore(connectionString, {
    connectionOptions: { pooled: true, pool },
    schema: { autoMigration: 'None' },
  });
  await store.schema.migrate();
  const next = takeTurns('context');
  let stored = 0;
  return {
    name,
    connectionString,
    stored: () => stored,
    request: async (client) => {
      const { context, step } = next(client);
      const { output } = outputs[stored++ % outputs.length];
      const event = { type: 'StepOutputAdded', data: { stepId: `step-${step}`, output } };
      const expectedStreamVersion = step === 1 ? STREAM_DOES_NOT_EXIST : BigInt(step - 1);
      await store.appendToStream(context, [event], { expectedStreamVersion });
    },
    close: async () => {
      await store.close();
      if (!pool.ended) await pool.end();
    },
  };
}
