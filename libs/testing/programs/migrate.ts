// Migrates a database on command, so that several of these programs can start at the same moment.
import { once } from 'node:events';

import { createDatabase, createPool, migrateToLatest } from '#database';

const [connectionString = ''] = process.argv.slice(2);
const report = (fact: object) => process.stdout.write(`${JSON.stringify(fact)}\n`);

const pool = createPool({ connectionString, applicationName: 'migrate', max: 2 });
const db = createDatabase(pool, Number.POSITIVE_INFINITY);
report({ waiting: true });
await once(process.stdin, 'data');
report({ ran: await migrateToLatest(db) });
await db.destroy();
process.stdin.destroy();
