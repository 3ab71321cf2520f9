/** Why a program is ended before it ends by itself. */
export type EndCause = 'timeout' | 'cancelled' | 'stopped' | 'output-too-large';

/** `graceMs`: the time between SIGTERM and SIGKILL, if it differs from the usual one. */
export type Ending =
  | Readonly<{ cause: EndCause; graceMs?: number }>
  /** The server takes no report of this attempt any more. */
  | Readonly<{ cause: 'refused'; reason: string; graceMs?: number }>;
