/** Whether the error has this code: of the system, as `ENOENT`, or the exit code of a program. */
export function hasCode(error: unknown, code: string | number): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
