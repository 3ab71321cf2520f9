import { DatabaseError } from 'pg';

/**
 * The effect of a failed statement. `not-applied`: none, and another attempt may succeed. `unknown`: it may have been
 * applied, since the connection was lost or had no answer. `storage-full`: none, since the disk is full. `refused`:
 * none, and another attempt would fail again.
 */
type FailureKind = 'not-applied' | 'unknown' | 'storage-full' | 'refused';

export class StatementFailedError extends Error {
  override readonly name = 'StatementFailedError';

  constructor(
    readonly kind: FailureKind,
    cause: unknown,
  ) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

const diskFull = '53100';

/**
 * SQLSTATEs for serialization failures, deadlocks, lock timeouts, cancellation, exhausted resources, a read-only server
 * (a demoted primary) and I/O errors.
 */
const transient = /^(40001|40P01|55P03|57014|53...|25006|58...)$/;

/**
 * SQLSTATEs for connection exceptions and shutdowns, which can also interrupt a statement that has already committed.
 */
const interrupted = /^(08...|57P..)$/;

/** Classifies the error of a statement that was sent. */
export function failureKindOf(error: unknown): FailureKind {
  if (!(error instanceof DatabaseError) || error.severity !== 'ERROR') return 'unknown';
  const state = error.code ?? '';
  if (state === diskFull) return 'storage-full';
  if (interrupted.test(state)) return 'unknown';
  return transient.test(state) ? 'not-applied' : 'refused';
}
