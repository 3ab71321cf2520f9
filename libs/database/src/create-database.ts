import { Kysely, PostgresDialect } from 'kysely';
import type pg from 'pg';

import { guardPool } from './guarded-pool.js';
import { type Database } from './tables/database.js';

/** The PostgreSQL schema that holds every table of Throughline; raw SQL names it. */
export const schemaName = 'throughline';

/**
 * Typed queries over a pool. Tables are qualified with schema `throughline` instead of using `search_path`, which a
 * connection pooler may lose. `destroy()` ends the pool. If a statement has no answer after `answerLimitMs` (10,000 by
 * default; infinity for migrations), its connection is closed.
 */
export function createDatabase(pool: pg.Pool, answerLimitMs?: number): Kysely<Database> {
  return new Kysely<Database>({
    dialect: new PostgresDialect({ pool: guardPool(pool, answerLimitMs) }),
  }).withSchema(schemaName);
}
