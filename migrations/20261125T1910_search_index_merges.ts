import { type Kysely, sql } from 'kysely';

// Frozen once merged: no imports from libs, no types of today's schema.

const indexes = ['search_items_words', 'search_items_value'];

/**
 * New rows wait in a list of each index until it is this long, and are then merged into the index. A word of many rows is merged
 * once: the longer the list, the less a row costs. Searches look through the list, so the indexer merges it when nothing is left to
 * index.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const index of indexes)
    await sql`alter index ${sql.table(`throughline.${index}`)} set (gin_pending_list_limit = 4096)`.execute(
      db,
    );
}

export async function down(db: Kysely<unknown>): Promise<void> {
  for (const index of indexes)
    await sql`alter index ${sql.table(`throughline.${index}`)} set (gin_pending_list_limit = 512)`.execute(
      db,
    );
}
