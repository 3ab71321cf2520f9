/** Whether the error has this code: of the system, as `ENOENT`, or the exit code of a program. */
export function hasCode(error: unknown, code: string | number): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

/** What comes of the call; the other value if the file, directory or process that it names does not exist. */
export async function orIfMissing<Value>(result: Promise<Value>, other: Value): Promise<Value> {
  try {
    return await result;
  } catch (error) {
    if (hasCode(error, 'ENOENT') || hasCode(error, 'ESRCH')) return other;
    throw error;
  }
}
