import { Kysely, PostgresDialect } from 'kysely';
import type pg from 'pg';

import { guardPool } from './guarded-pool.js';
import { type Database } from './tables/database.js';

/** The PostgreSQL schema that holds every table of ours; raw SQL names it. */
export const schemaName = 'throughline';

/**
 * Typed queries over a pool. Tables stand in schema `throughline` by name, not by `search_path`, which a connection
 * pooler may lose. `destroy()` ends the pool. A statement without an answer for `answerLimitMs`
 * (10,000; infinity for migrations) costs its connection.
 */
export function createDatabase(pool: pg.Pool, answerLimitMs?: number): Kysely<Database> {
  return new Kysely<Database>({
    dialect: new PostgresDialect({ pool: guardPool(pool, answerLimitMs) }),
  }).withSchema(schemaName);
}
