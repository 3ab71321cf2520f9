/** Whether the error has this code: of the system, as `ENOENT`, or the exit code of a program. */
export function hasCode(error: unknown, code: string | number): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

/**
 * Resolves with the result, or with `other` if the file, directory or process that the call names does not exist. Rejects with
 * any other error.
 */
export function orIfMissing<Value>(result: Promise<Value>, other: Value): Promise<Value> {
  return orIfCode(result, ['ENOENT', 'ESRCH'], other);
}

/** As {@link orIfMissing}; with `other` also if the file may not be read or the program may not be run. */
export function orIfBarred<Value>(result: Promise<Value>, other: Value): Promise<Value> {
  return orIfCode(result, ['ENOENT', 'ESRCH', 'EACCES', 'EPERM'], other);
}

async function orIfCode<Value>(
  result: Promise<Value>,
  codes: readonly string[],
  other: Value,
): Promise<Value> {
  try {
    return await result;
  } catch (error) {
    if (codes.some((code) => hasCode(error, code))) return other;
    throw error;
  }
}
