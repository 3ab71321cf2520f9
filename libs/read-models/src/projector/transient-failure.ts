import { DatabaseFullError, DatabaseUnavailableError } from '#database';
import { EventStoreError } from '#event-sourcing';

/** Deadlocks and serialization failures, and sessions that PostgreSQL ended because they idled in a transaction. */
const raced = /^(40...|25P0[345])$/;

/** Whether the same work may succeed later: storage was unavailable, or other work conflicted. */
export function isTransient(error: unknown): boolean {
  return (
    error instanceof DatabaseUnavailableError ||
    error instanceof DatabaseFullError ||
    error instanceof EventStoreError ||
    (error instanceof Error && 'code' in error && raced.test(String(error.code)))
  );
}
