/** A contract for scripts; `throughline --help` and docs/cli.md list the same numbers. */
export const exitCodes = {
  ok: 0,
  /** Any other failure. */
  failure: 1,
  /** The command line or its input is wrong: correct it before a retry. */
  usage: 2,
  /** Another write came first, or a rule refuses the command in the current state. */
  conflict: 3,
  /** Not found, or not allowed for this key. */
  denied: 4,
  /** Not reachable, too busy or starting: a retry of the same command may succeed. */
  unavailable: 5,
  /** The outcome of a run that `run --wait` followed. */
  runRejected: 6,
  runFailed: 7,
  runCancelled: 8,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

const byStatus: Readonly<Record<number, ExitCode>> = {
  400: exitCodes.usage,
  401: exitCodes.denied,
  403: exitCodes.denied,
  404: exitCodes.denied,
  409: exitCodes.conflict,
  410: exitCodes.denied,
  412: exitCodes.conflict,
  413: exitCodes.usage,
  415: exitCodes.usage,
  422: exitCodes.usage,
  428: exitCodes.conflict,
  429: exitCodes.unavailable,
  503: exitCodes.unavailable,
};

export function exitCodeOf(status: number): ExitCode {
  return byStatus[status] ?? exitCodes.failure;
}
