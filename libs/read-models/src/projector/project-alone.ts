import { type Transaction, sql } from 'kysely';

import { type Database } from '#database';
import { type ContextId, contextOfStream } from '#shared-context';

import { quarantine } from './dead-letters.js';
import { type DecodedBatch, type ProjectionRows, poisonOf } from './context-runs.js';
import { type ProjectedPart, projectBatch } from './project-batch.js';

/** SQLSTATE classes for errors in the data itself: PostgreSQL would reject the same data again. */
const refusedData = /^(22|23|54)/;

/**
 * Applies events of one context in a savepoint, so that the transaction can continue if PostgreSQL rejects their rows.
 * `retried` is the context if it is quarantined and retried.
 */
export async function projectAlone(
  trx: Transaction<Database>,
  rows: ProjectionRows,
  batch: DecodedBatch,
  retried?: ContextId,
): Promise<ProjectedPart> {
  await sql`savepoint one_context`.execute(trx);
  try {
    const part = await projectBatch(trx, rows, batch, retried);
    await sql`release savepoint one_context`.execute(trx);
    return part;
  } catch (error) {
    const [first] = batch.events;
    const id = first && contextOfStream(first.stream);
    if (!id || !isRefusedData(error)) throw error;
    await sql`rollback to savepoint one_context`.execute(trx);
    const poison = poisonOf(id, first, error);
    await quarantine(trx, rows.projection, [poison]);
    return { applied: batch.events.length, bytes: 0, quarantined: [poison] };
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
