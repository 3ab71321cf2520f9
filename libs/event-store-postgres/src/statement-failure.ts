import { DatabaseError } from 'pg';

/**
 * What a failed statement left behind.
 * `not-applied`: nothing, and the next try may go well. `unknown`: it may have been carried out, for the connection
 * ended or stayed silent before the answer. `storage-full`: nothing, there is no room. `refused`: nothing, and
 * trying again would not help.
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

/** Serialization, deadlock, lock not available, cancelled, out of resources, read-only (a demoted primary), I/O. */
const worthAnotherTry = /^(40001|40P01|55P03|57014|53...|25006|58...)$/;

/** Connection exceptions and shutdowns: these can also interrupt a statement that has already committed. */
const interrupted = /^(08...|57P..)$/;

/** Judges the error of a statement that had been sent. */
export function failureKindOf(error: unknown): FailureKind {
  if (!(error instanceof DatabaseError) || error.severity !== 'ERROR') return 'unknown';
  const state = error.code ?? '';
  if (state === diskFull) return 'storage-full';
  if (interrupted.test(state)) return 'unknown';
  return worthAnotherTry.test(state) ? 'not-applied' : 'refused';
}
