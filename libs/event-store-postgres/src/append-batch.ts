import { type Pool } from 'pg';

import { StorageFullError } from '#event-sourcing';
import { backOff } from '#event-store-adapter';

import { batchStatement, settleBatch, settleSingle, singleStatement } from './append-statement.js';
import { runStatement } from './run-statement.js';
import { type PendingAppend } from './pending-append.js';
import { StatementFailedError } from './statement-failure.js';

type BatchTarget = Readonly<{ pool: Pool; answerLimitMs: number; closing: AbortSignal }>;

/**
 * Sends the appends as one statement until each is settled. Repetition is safe because ids and exact versions stay the
 * same. Returns the appends that must join another batch.
 */
export async function sendBatch(
  target: BatchTarget,
  appends: readonly PendingAppend[],
): Promise<PendingAppend[]> {
  for (let attempt = 0; ; attempt++) {
    const open = appends.filter(({ settled }) => !settled);
    if (open.length === 0) return [];
    try {
      return await sendOnce(target, open);
    } catch (error) {
      if (!isTransient(error)) return sendEachAlone(target, open, error);
      for (const append of open) markFailed(append, error);
    }
    await backOff(attempt, target.closing);
    if (target.closing.aborted) rejectAll(open);
  }
}

/** Takes one round trip, or two if a single append cannot be settled by its own statement. */
async function sendOnce(
  { pool, answerLimitMs }: BatchTarget,
  appends: readonly PendingAppend[],
): Promise<PendingAppend[]> {
  const [single] = appends;
  const sending = () => appends.forEach((append) => append.sent());
  if (single?.repeatable && appends.length === 1) {
    const rows = await runStatement(pool, singleStatement(single), answerLimitMs, sending);
    if (settleSingle(single, rows)) return [];
  }
  return settleBatch(
    appends,
    await runStatement(pool, batchStatement(appends), answerLimitMs, sending),
  );
}

/** A faulty append must not fail the other appends of its batch. */
async function sendEachAlone(
  target: BatchTarget,
  appends: readonly PendingAppend[],
  cause: unknown,
): Promise<PendingAppend[]> {
  for (const append of appends) append.notApplied();
  if (appends.length === 1) {
    rejectAll(appends, cause);
    return [];
  }
  const again = [];
  for (const append of appends) again.push(...(await sendBatch(target, [append])));
  return again;
}

function isTransient(error: unknown): error is StatementFailedError {
  return error instanceof StatementFailedError && error.kind !== 'refused';
}

function markFailed(append: PendingAppend, failure: StatementFailedError): void {
  if (failure.kind === 'unknown') return append.inDoubt(failure);
  append.notApplied();
  if (failure.kind === 'storage-full')
    append.reject(
      append.giveUp(
        failure,
        new StorageFullError('PostgreSQL has no room left', { cause: failure }),
      ),
    );
}

function rejectAll(appends: readonly PendingAppend[], cause?: unknown): void {
  for (const append of appends) if (!append.settled) append.reject(append.giveUp(cause));
}
