// Writers in a separate process. Each appends to one stream at the version that it has read until it has stored its
// share. The program reports every acknowledged event. Usage: append-events <connection string> <stream> <writers>
// <appends each> [<event id to use for the only append>]
import { randomUUID } from 'node:crypto';

import { createPool } from '#database';
import { VersionConflictError } from '#event-sourcing';
import { PostgresEventStore } from '#event-store-postgres';

const [connectionString = '', stream = '', writers = '1', each = '1', eventId] =
  process.argv.slice(2);
const report = (fact: object) => process.stdout.write(`${JSON.stringify(fact)}\n`);
const pool = createPool({ connectionString, applicationName: 'append-events' });
const store = new PostgresEventStore({ pool });

await Promise.all(Array.from({ length: Number(writers) }, () => write()));
report({ done: true });
await store.close();
await pool.end();

async function write(): Promise<void> {
  let left = Number(each);
  while (left > 0) {
    const event = {
      eventId: eventId ?? randomUUID(),
      type: 'Written',
      data: JSON.stringify({ pid: process.pid }),
      metadata: '{}',
    };
    const [newest] = await store.readStream(stream, { direction: 'backwards', limit: 1 });
    try {
      const { version } = await store.append(stream, [event], newest?.version ?? 'no-stream');
      report({ eventId: event.eventId, version });
      left--;
    } catch (error) {
      if (!(error instanceof VersionConflictError)) throw error;
    }
  }
}
