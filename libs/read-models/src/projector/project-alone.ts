import { type Transaction, sql } from 'kysely';

import { type Database } from '#database';
import { type StoredEvent } from '#event-sourcing';

import { type ContextId, contextOfStream } from '../contexts/context-stream.js';
import { type ParkedContext, park } from './dead-letters.js';
import { type ProjectionRows, poisonOf, projectBatch } from './project-batch.js';

/** SQLSTATE classes by which PostgreSQL refuses what it is given rather than the moment: it would refuse it again. */
const refusedData = /^(22|23|54)/;

/**
 * Applies events of one context within a larger transaction, which goes on where PostgreSQL refuses their rows.
 * `retried` where the context is parked and to be tried again.
 */
export async function projectAlone(
  trx: Transaction<Database>,
  rows: ProjectionRows,
  events: readonly StoredEvent[],
  retried?: ContextId,
): Promise<readonly ParkedContext[]> {
  await sql`savepoint one_context`.execute(trx);
  try {
    const parked = await projectBatch(trx, rows, events, retried);
    await sql`release savepoint one_context`.execute(trx);
    return parked;
  } catch (error) {
    const [first] = events;
    const id = first && contextOfStream(first.stream);
    if (!id || !isRefusedData(error)) throw error;
    await sql`rollback to savepoint one_context`.execute(trx);
    const poison = poisonOf(id, first, error);
    await park(trx, rows.projection, [poison]);
    return [poison];
  }
}

export function isRefusedData(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    typeof error.code === 'string' &&
    refusedData.test(error.code)
  );
}
