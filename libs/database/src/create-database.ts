import { Kysely, PostgresDialect } from 'kysely';
import type pg from 'pg';

import { type Database } from './tables/database.js';

/** The PostgreSQL schema that holds every table of ours; raw SQL names it. */
export const schemaName = 'throughline';

/**
 * Typed queries over a pool. Tables stand in schema `throughline` by name, not by `search_path`, which a connection
 * pooler may lose. `destroy()` ends the pool.
 */
export function createDatabase(pool: pg.Pool): Kysely<Database> {
  return new Kysely<Database>({ dialect: new PostgresDialect({ pool }) }).withSchema(schemaName);
}
