import { randomUUID } from 'node:crypto';

import { takeTurns } from './turns.mjs';

/** As many connections as the server gives its store. */
const poolSize = 5;

/** The EventStore port on PostgreSQL: exact expected versions, and metadata of the size of a sealed envelope. */
export async function openOurPort({ connectionString, outputs, name, build }) {
  const { createPool, createDatabase, migrateToLatest, PostgresEventStore } = build;
  const pool = createPool({ connectionString, applicationName: 'bench', max: poolSize });
  await migrateToLatest(createDatabase(pool));
  const store = new PostgresEventStore({ pool });
  const next = takeTurns('context-default:bench');
  let stored = 0;
  return {
    name,
    connectionString,
    stored: () => stored,
    request: async (client) => {
      const { context, step } = next(client);
      const { json } = outputs[stored++ % outputs.length];
      const data = `{"stepId":"step-${step}","output":${json}}`;
      const event = { eventId: randomUUID(), type: 'StepOutputAdded', data, metadata };
      await store.append(context, [event], step === 1 ? 'no-stream' : step - 1);
    },
    close: async () => {
      await store.close();
      await pool.end();
    },
  };
}

const hash = 'a3'.repeat(32);
const metadata = JSON.stringify({
  envelope: 1,
  schemaVersion: 1,
  recordedAt: '2026-01-01T00:00:00.000Z',
  principal: 'architect',
  origin: null,
  correlationId: '0199b7a4-5c1e-7d3a-9a3e-2f6f0c1d2e3f',
  causationId: null,
  basedOn: null,
  trust: 'agent',
  visibility: 'record',
  encrypted: null,
  idempotency: null,
  previousHash: hash,
  hash,
});
