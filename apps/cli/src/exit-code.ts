/** What scripts may rely on; `throughline --help` and the README name the same numbers. */
export const exitCodes = {
  ok: 0,
  /** Something else went wrong. */
  failure: 1,
  /** The command line or its input is wrong: fix it before trying again. */
  usage: 2,
  /** Somebody else got there first, or a rule refused it as things stand. */
  conflict: 3,
  /** It is not there, or this key may not see or do it. */
  denied: 4,
  /** Not reachable, too busy or starting: the same command may work in a moment. */
  unavailable: 5,
  /** What a run has come to that was waited for. */
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
