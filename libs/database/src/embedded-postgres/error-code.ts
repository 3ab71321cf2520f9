/** Whether the error has this code: a system code such as `ENOENT`, or the exit code of a program. */
export function hasCode(error: unknown, code: string | number): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

/**
 * Resolves with the result, or with `other` if the file, directory or process does not exist. Rejects with any other
 * error.
 */
export function orIfMissing<Value>(result: Promise<Value>, other: Value): Promise<Value> {
  return orIfCode(result, ['ENOENT', 'ESRCH'], other);
}

/** Like {@link orIfMissing}, but also resolves with `other` if access to the file or program is denied. */
export function orIfDenied<Value>(result: Promise<Value>, other: Value): Promise<Value> {
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
