import { DatabaseFullError, DatabaseUnavailableError } from '#database';
import { EventStoreError } from '#event-sourcing';

/** Deadlocks, and sessions that PostgreSQL ended because this process stood still with a transaction open. */
const raced = /^(40...|25P0[345])$/;

/** The same work may succeed later: storage was not available, or others were in the way. */
export function isTransient(error: unknown): boolean {
  return (
    error instanceof DatabaseUnavailableError ||
    error instanceof DatabaseFullError ||
    error instanceof EventStoreError ||
    (error instanceof Error && 'code' in error && raced.test(String(error.code)))
  );
}
