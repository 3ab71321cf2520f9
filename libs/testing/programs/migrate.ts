// Migrates a database when told to, so that several of these can be told at once.
import { once } from 'node:events';

import { createDatabase, createPool, migrateToLatest } from '#database';

const [connectionString = ''] = process.argv.slice(2);
const tell = (fact: object) => process.stdout.write(`${JSON.stringify(fact)}\n`);

const pool = createPool({ connectionString, applicationName: 'migrate', max: 2 });
const db = createDatabase(pool, Number.POSITIVE_INFINITY);
tell({ waiting: true });
await once(process.stdin, 'data');
tell({ ran: await migrateToLatest(db) });
await db.destroy();
process.stdin.destroy();
